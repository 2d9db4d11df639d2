"""Optional packages: used if they are installed, and named in an error if not."""

from __future__ import annotations

import importlib
from typing import Any

#: What the package index calls the package of a module, where that is not its first part.
_PACKAGES = {"dask.distributed": "distributed", "_otf2.ErrorCodes": "otf2"}


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
            f"`pip install {_PACKAGES.get(name, package)}` would install it"
        ) from error
