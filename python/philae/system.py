"""Systems: built in, from a file, or described here."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from philae import _native
from philae._base import _CLASSES, to_json
from philae.config import SystemTable
from philae.table import Table


class SystemInfo(NamedTuple):
    """A built-in system."""

    #: As `System.builtin` takes it.
    name: str
    #: One sentence.
    summary: str


def systems() -> list[SystemInfo]:
    """The built-in systems, with a sentence each."""
    return [SystemInfo(name, summary) for name, summary in _native.systems()]


class System(SystemTable):
    """A system: a built-in one by its name, one in a file, or one described with the keys of `[system]`.

    Example:
        >>> import philae
        >>> philae.System.builtin("malbec").describe()["nodes"]
        484
    """

    @classmethod
    def builtin(cls, name: str) -> System:
        """The built-in system of this name.

        Raises:
            ScenarioError: no system has this name; the message has the nearest one.
        """
        if not any(name == known for known, _ in _native.systems()):
            _native.system_text(json.dumps({"name": name}))
        return cls(name)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> System:
        """The system described in a file: TOML, JSON, GraphML, GEXF, node-link JSON, or a fabric's cabling.

        Raises:
            ScenarioError: the file cannot be read or describes no system.
        """
        return cls.from_dict(json.loads(_native.system_text(json.dumps({"path": os.path.abspath(path)}))))

    @classmethod
    def _from_any(cls, value: Any) -> Any:
        if isinstance(value, str):
            # As a scenario file: what looks like a path is one.
            is_path = "/" in value or "\\" in value or bool(Path(value).suffix)
            return cls.from_dict({"path": value} if is_path else {"name": value})
        if isinstance(value, os.PathLike):
            return cls.from_dict({"path": os.fspath(value)})
        return super()._from_any(value)

    def _plain(self) -> Any:
        found = self.to_dict()
        return found["name"] if set(found) == {"name"} else found

    def expanded(self) -> System:
        """The whole description behind a name or a path, to change something of it."""
        return System.from_dict(json.loads(_native.system_text(to_json(self))))

    def describe(self) -> dict[str, Any]:
        """The description of the system, as `philae describe --json` prints it: switches, nodes, links, rates, sources.

        Raises:
            ScenarioError: the system cannot be read or wired.
        """
        found: dict[str, Any] = json.loads(_native.describe(to_json(self)))
        return found

    def wiring(self) -> Table:
        """One row per port that has a cable: `port_index`, `switch`, `group`, `port`, what is at the other end, `role`,
        `rate_mbps` (10^6 bit/s, one direction) and `propagation_ps`.

        Raises:
            ScenarioError: the system cannot be read or wired.
        """
        return Table(_native.wiring(to_json(self)))


_CLASSES["System"] = System


def as_system(value: System | str | Mapping[str, Any]) -> System:
    """A system from any value that a scenario accepts."""
    found: System = System._from_any(value)
    return found
