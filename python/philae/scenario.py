"""A scenario: what runs on what, as an object, a dictionary or TOML."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from philae import _native
from philae._base import _CLASSES, to_json
from philae.config import ScenarioTable

#: What a path may begin with instead of the schema's name: attributes of a scenario, and where people look for the seed.
_ALIASES = {key: value.schema_name for key, value in ScenarioTable._keys.items() if key != value.schema_name}


def schema_path(path: str) -> str:
    """The path of a key as a scenario file has it: `jobs.victim.nodes` is `job.victim.nodes`, `run.seed` is `seed`."""
    if path == "run.seed":
        return "seed"
    first, dot, rest = path.partition(".")
    return _ALIASES.get(first, first) + dot + rest


class Scenario(ScenarioTable):
    """A run of one or more jobs on one system. The keywords are the keys of a scenario file.

    What repeats in a file has a plural here: `[[job]]` is `jobs`, `[[class]]` is `classes`, `[[capture]]` is `captures`,
    `[[fault]]` is `fault_list` and `[[fault_law]]` is `fault_laws`. Unset keys have the simulator's default.

    Example:
        >>> import philae
        >>> scenario = philae.Scenario(
        ...     system=philae.System.builtin("malbec"),
        ...     jobs=[philae.Job("victim", nodes=32, workload=philae.Alltoall(bytes="8KiB", iterations=2))],
        ... )
        >>> scenario.set("jobs.victim.nodes", 16).jobs[0].nodes
        16
    """

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scenario:
        """Reads a TOML file. A path in it is relative to its folder.

        Raises:
            ScenarioError: as `philae simulate` says it, with the line.
        """
        return cls.from_dict(json.loads(_native.load(path)))

    @classmethod
    def from_toml(cls, text: str) -> Scenario:
        """Reads TOML text. A path in it is relative to the working folder.

        Raises:
            ScenarioError: not TOML, or no scenario.
        """
        return cls.from_dict(json.loads(_native.parse(text, "the text")))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Scenario:
        """From a dictionary with the keys of a scenario file (or the attributes of this class).

        Raises:
            ScenarioError: an unknown key, with the nearest one.
        """
        if not isinstance(values, Mapping):
            works = "a Scenario, a dictionary of its keys or the path of a TOML file would work"
            raise _native.ScenarioError(f"{values!r} is not a scenario; {works}")
        found = super().from_dict({_ALIASES.get(key, key): value for key, value in values.items()})
        assert isinstance(found, Scenario)
        return found

    def to_toml(self) -> str:
        """As TOML: the keys that were set, without defaults. `resolve().to_toml()` has them all."""
        return _native.toml_from_json(to_json(self))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the TOML to a file."""
        Path(path).write_text(self.to_toml(), encoding="utf-8")

    def set(self, path: str, value: Any) -> Scenario:
        """Sets one key by its path, as `philae simulate --set` does, and returns the scenario.

        Entries of lists are named by their name or number: `jobs.victim.workload.bytes`, `job.0.nodes`. `run.seed` is the
        seed.

        Raises:
            ScenarioError: no such key, or a value that does not work there.
        """
        return self.set_all({path: value})

    def set_all(self, values: Mapping[str, Any]) -> Scenario:
        """Sets several keys at once; their order does not matter. All are set or none.

        Raises:
            ScenarioError: as `set`.
        """
        pairs = [(schema_path(path), to_json(value, schema_path(path))) for path, value in values.items()]
        found = Scenario.from_dict(json.loads(_native.set_values(to_json(self), pairs)))
        for name in self._keys:
            setattr(self, name, getattr(found, name))
        return self

    def check(self) -> None:
        """Checks keys, types and ranges. `resolve` checks the rest: that the system can be wired and the jobs fit.

        Raises:
            ScenarioError: with what was asked, what was found and what would work.
        """
        _native.check(to_json(self))

    def resolve(self) -> Scenario:
        """The scenario with every default filled in and the system described in place: running it gives the same digest.

        Raises:
            ScenarioError: what cannot run.
        """
        return Scenario.from_dict(json.loads(_native.resolve(to_json(self))[0]))


_CLASSES["Scenario"] = Scenario
