"""Packages that are used where they are there, and named where they are not."""

from __future__ import annotations

import importlib
from typing import Any

#: The extra of `pip install philae[...]` that brings a package.
_EXTRAS = {
    "numpy": "numpy",
    "pyarrow": "pyarrow",
    "polars": "polars",
    "pandas": "pandas",
    "matplotlib.pyplot": "plot",
    "matplotlib.ticker": "plot",
    "submitit": "slurm",
    "dask.distributed": "dask",
    "otf2": "otf2",
    "_otf2.ErrorCodes": "otf2",
}


def extra(name: str) -> Any:
    """The package of this name.

    Raises:
        ImportError: it is not installed; the message says how to install it.
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise ImportError(
            f"this needs {package}, which cannot be imported ({error}); "
            f"`pip install philae[{_EXTRAS[name]}]` would install it"
        ) from error
