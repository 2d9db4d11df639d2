"""Simulate Slingshot-compatible interconnects: scenarios as objects, results as Arrow tables, plots, sweeps.

Importing it needs no other package. `numpy`, `pyarrow`, `polars`, `pandas` and `matplotlib` are used if they are installed.

Example:
    >>> import philae
    >>> scenario = philae.Scenario(
    ...     system="malbec",
    ...     jobs=[philae.Job("ring", nodes=8, workload=philae.Allreduce(bytes="8KiB", iterations=2))],
    ... )
    >>> philae.run(scenario, seed=1).status
    'completed'
"""

from philae import config as _config
from philae._native import ResultError, RunError, ScenarioError, __version__
from philae.compare import Comparison, compare
from philae.config import *  # noqa: F403
from philae.explain import Explanations, explain
from philae.result import Result, load, run
from philae.scenario import Scenario
from philae.sweep import Failure, Sweep, sweep
from philae.system import System, SystemInfo, systems
from philae.table import Column, Table

__all__ = [
    "Column",
    "Comparison",
    "Explanations",
    "Failure",
    "Result",
    "ResultError",
    "RunError",
    "Scenario",
    "ScenarioError",
    "Sweep",
    "System",
    "SystemInfo",
    "Table",
    "__version__",
    "compare",
    "explain",
    "load",
    "run",
    "sweep",
    "systems",
]
__all__ += [name for name in _config.__all__ if name not in ("ScenarioTable", "SystemTable")]
