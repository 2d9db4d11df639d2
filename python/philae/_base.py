"""What all tables of a scenario share: keyword names of the schema, conversion from and to plain dictionaries."""

from __future__ import annotations

import difflib
import json
import math
import operator
import os
import stat
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

Self = TypeVar("Self", bound="Section")

#: Classes by name, so that a table can hold tables that are defined after it.
_CLASSES: dict[str, type[Section]] = {}


def read_regular(path: Path) -> str:
    """The text of a file in a result folder. A pipe there would wait for a writer that never comes."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(f"{path.name} is no regular file")
    return path.read_text(encoding="utf-8")


class Key(NamedTuple):
    """One key of a table."""

    #: As a scenario file writes it.
    schema_name: str
    #: The class of the table that it holds, or None for plain values.
    holds: str | None = None
    #: Whether it holds a list of them.
    is_list: bool = False
    #: Whether it is there, empty, when nobody sets it.
    is_always: bool = False


class Section:
    """One table of a scenario. An attribute that is None is left out, and the simulator's default holds."""

    #: Keys by the name of the attribute.
    _keys: ClassVar[dict[str, Key]] = {}
    #: Key and value that tell this kind of table from others, such as `kind = "alltoall"`.
    _tag: ClassVar[tuple[str, str] | None] = None
    #: The kinds of a table that has several, by the value of their tag.
    _kinds: ClassVar[dict[str, str]] = {}

    def __init_subclass__(cls, **options: Any) -> None:
        """Makes the class known by its name."""
        super().__init_subclass__(**options)
        _CLASSES[cls.__name__] = cls

    def __init__(self, **values: Any) -> None:
        """Takes the values of its keys."""
        for name in self._keys:
            setattr(self, name, values.get(name))

    def __setattr__(self, name: str, value: Any) -> None:
        """Sets a key; a dictionary becomes the table that belongs there."""
        key = self._keys.get(name)
        if key is None:
            if name.startswith("_"):
                object.__setattr__(self, name, value)
                return
            near = difflib.get_close_matches(name, self._keys, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ""
            keys = ", ".join(self._keys)
            raise AttributeError(f"{type(self).__name__} has no key `{name}`{hint} Keys: {keys}")
        object.__setattr__(self, name, _convert(value, key))

    def __eq__(self, other: object) -> bool:
        """Whether both say the same."""
        return type(self) is type(other) and self.to_dict() == other.to_dict()  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Its Python expression, without unset keys."""
        shown = {name: getattr(self, name) for name in self._keys}
        parts = [f"{name}={value!r}" for name, value in shown.items() if _plain(value) not in (None, {}, [])]
        return f"{type(self).__name__}({', '.join(parts)})"

    def __dir__(self) -> Iterable[str]:
        """Its keys first."""
        return [*self._keys, *(name for name in super().__dir__() if not name.startswith("_"))]

    def to_dict(self) -> dict[str, Any]:
        """As a plain dictionary with the names of the schema, without unset keys."""
        found: dict[str, Any] = {} if self._tag is None else {self._tag[0]: self._tag[1]}
        for name, key in self._keys.items():
            value = _plain(getattr(self, name))
            if value is not None and not (key.is_always and value in ({}, [])):
                found[key.schema_name] = value
        return found

    @classmethod
    def from_dict(cls: type[Self], values: Mapping[str, Any]) -> Self:
        """From a plain dictionary with the names of the schema (or of the attributes)."""
        kind: type[Any] = cls
        if not isinstance(values, Mapping):
            raise _error(f"{values!r} is not a {cls.__name__}; a {cls.__name__} or a dictionary of its keys would work")
        rest = dict(values)
        if cls._kinds:
            tag = _CLASSES[next(iter(cls._kinds.values()))]._tag
            assert tag is not None
            word = rest.pop(tag[0], None)
            if word not in cls._kinds:
                near = difflib.get_close_matches(str(word), cls._kinds, 1)
                hint = f"; did you mean '{near[0]}'?" if near else ";"
                raise _error(f"`{tag[0]}` is {word!r}, an unknown value{hint} one of: {', '.join(cls._kinds)}")
            kind = _CLASSES[cls._kinds[word]]
        elif cls._tag is not None:
            rest.pop(cls._tag[0], None)
        names = {key.schema_name: name for name, key in kind._keys.items()}
        unknown = [key for key in rest if key not in names and key not in kind._keys]
        if unknown:
            near = difflib.get_close_matches(unknown[0], names, 1)
            hint = f"; did you mean `{near[0]}`?" if near else ";"
            raise _error(f"unknown key `{unknown[0]}` in {kind.__name__}{hint} keys: {', '.join(names)}")
        made: Any = object.__new__(kind)
        Section.__init__(made, **{names.get(key, key): value for key, value in rest.items()})
        return made  # type: ignore[no-any-return]

    @classmethod
    def _from_any(cls, value: Any) -> Any:
        if isinstance(value, Section):
            if not isinstance(value, cls):
                raise _error(f"found a {type(value).__name__}; a {cls.__name__} would work")
            return value
        if isinstance(value, Mapping):
            return cls.from_dict(value)
        # Text where a table would do, such as a system's name, is for the class or for the
        # simulator's check to judge.
        return value

    def copy(self: Self) -> Self:
        """A copy that shares nothing with this one."""
        return type(self).from_dict(json.loads(to_json(self.to_dict())))


def _error(message: str) -> Exception:
    from philae._native import ScenarioError

    return ScenarioError(message)


def _convert(value: Any, key: Key) -> Any:
    """A value as an attribute keeps it."""
    if value is None:
        if not key.is_always:
            return None
        return [] if key.is_list else _CLASSES[str(key.holds)].from_dict({})
    if key.holds is None:
        return value
    kind = _CLASSES[key.holds]
    if key.is_list:
        entries = [value] if isinstance(value, (Section, Mapping)) else value
        return [kind._from_any(entry) for entry in entries]
    return kind._from_any(value)


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Section):
        plain = getattr(value, "_plain", value.to_dict)
        return plain()
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple, range)):
        return [_plain(entry) for entry in value]
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    try:  # NumPy's numbers
        return operator.index(value)
    except TypeError:
        return float(value)


def to_json(value: Any, path: str = "") -> str:
    """As JSON, always the same text for the same value. `path` is the key of the value, for errors.

    Raises:
        ScenarioError: a number that a scenario cannot hold: NaN, an infinite one, a whole one beyond 64 bits.
    """
    plain = _plain(value)
    _check_numbers(plain, path)
    return json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


#: The whole numbers of TOML.
_WHOLE = range(-(2**63), 2**63)


def _check_numbers(value: Any, path: str) -> None:
    if isinstance(value, Mapping):
        for key, entry in value.items():
            _check_numbers(entry, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list):
        for place, entry in enumerate(value):
            _check_numbers(entry, f"{path}.{place}" if path else str(place))
    elif isinstance(value, float) and not math.isfinite(value):
        raise _error(f"`{path}` is {value}; a finite number would work")
    elif isinstance(value, int) and not isinstance(value, bool) and value not in _WHOLE:
        least = 0 if path == "seed" else _WHOLE.start
        raise _error(f"`{path}` is {value}; a whole number from {least} to {_WHOLE.stop - 1} would work")
