"""Writes `philae/config.py` from the scenario's JSON Schema: one class per table, with its keys, types and meanings.

Run it with the package installed: `python python/tools/generate.py`. With `--check` it only compares (a test does).
"""

from __future__ import annotations

import json
import keyword
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

from philae import _native

TARGET = Path(__file__).parents[1] / "philae" / "config.py"

#: Names of classes where the schema's are those of Rust types.
NAMES = {
    "JobSection": "Job",
    "CaptureSection": "Capture",
    "FaultSection": "Fault",
    "FaultLawSection": "FaultLaw",
    "RoutesSection": "Routes",
    "TelemetrySection": "Telemetry",
    "DragonflyDescription": "Dragonfly",
    "FatTreeDescription": "FatTree",
    "GraphDescription": "Graph",
    "CableDescription": "Cable",
    "EthernetDescription": "EthernetEndpoints",
    "WorkloadSpec": "Workload",
    "hardware.switch section": "Switch",
    "hardware.nic section": "Nic",
    "hardware.host section": "Host",
    "hardware.node section": "Node",
    "hardware.jitter section": "Jitter",
    "hardware.tcp section": "Tcp",
    "hardware.uet section": "Uet",
    "hardware.uet_law section": "UetLaw",
    "hardware.ethernet section": "Ethernet",
    "congestion section": "Congestion",
    "routing section": "Routing",
    "link section": "Link",
    "retry section": "Retry",
    "collectives section": "Collectives",
}
#: Classes that the package completes by hand.
COMPLETED = {"System": "SystemTable"}
#: Attributes of the whole scenario that are lists: a file repeats `[[job]]`, a program has `jobs`.
LISTS = {"job": "jobs", "class": "classes", "capture": "captures", "fault": "fault_list", "fault_law": "fault_laws"}
#: What the classes of a tagged table are called: the tag in capitals, and this behind it.
SUFFIXES = {"Workload": "", "Action": "Action", "LocalWiring": "Wiring"}

SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def camel(text: str) -> str:
    """`sendrecv-alltoall` as `SendrecvAlltoall`."""
    return "".join(part.capitalize() for part in re.split(r"[-_ ]", text))


def attribute(key: str) -> str:
    """A key as a Python name."""
    key = key.replace("-", "_")
    return f"{key}_" if keyword.iskeyword(key) else key


def in_order(aliases: list[str]) -> list[str]:
    """Aliases, each behind those that it names."""
    named = {re.search(r"^(\w+) = (.*)", alias, re.M | re.S).groups(): alias for alias in aliases}  # type: ignore[union-attr]
    ordered: list[str] = []
    waiting = dict(named)
    while waiting:
        names = {name for name, _ in waiting}
        ready = [key for key in waiting if not names & set(re.findall(r"\w+", key[1]))]
        ordered += [waiting.pop(key) for key in ready]
        if not ready:
            raise ValueError(f"aliases name each other: {sorted(names)}")
    return ordered


class Generator:
    """Turns definitions into classes and aliases."""

    def __init__(self, schema: dict[str, Any]) -> None:
        """Reads the definitions."""
        self.schema = schema
        self.definitions: dict[str, Any] = schema["$defs"]
        self.classes: list[str] = []
        self.aliases: list[str] = []
        self.exported: list[str] = []

    def name(self, reference: str) -> str:
        """The class or alias of a reference."""
        return NAMES.get(reference, reference)

    def target(self, schema: dict[str, Any]) -> str | None:
        """What a reference, or an optional one, refers to."""
        if "$ref" in schema:
            return str(schema["$ref"]).removeprefix("#/$defs/").replace("%20", " ")
        choices = [entry for entry in schema.get("anyOf", []) if entry.get("type") != "null"]
        return self.target(choices[0]) if len(choices) == 1 and "anyOf" in schema else None

    def is_table(self, definition: str) -> bool:
        """Whether a definition is a table, or one of several tables."""
        found = self.definitions[definition]
        if self.is_one_key(definition):
            return False
        choices = found.get("oneOf") or found.get("anyOf") or [found]
        return any("properties" in choice for choice in choices)

    def is_one_key(self, definition: str) -> bool:
        """Whether it is a table of one key, which says what the value is: `{"exponential": "40us"}`."""
        choices = self.definitions[definition].get("oneOf") or []
        return bool(choices) and all(
            len(choice.get("properties", {})) == 1 == len(choice["required"]) for choice in choices
        )

    def type_of(self, schema: dict[str, Any]) -> str:
        """The Python type of a value, without None."""
        target = self.target(schema)
        if target is not None:
            return self.name(target)
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(word) for word in schema['enum'])}]"
        if "const" in schema:
            return f"Literal[{json.dumps(schema['const'])}]"
        choices = schema.get("oneOf") or schema.get("anyOf")
        if choices:
            if all(isinstance(choice.get("const"), str) for choice in choices):
                return f"Literal[{', '.join(json.dumps(choice['const']) for choice in choices)}]"
            kinds = dict.fromkeys(self.type_of(choice) for choice in choices if choice.get("type") != "null")
            return f"Union[{', '.join(kinds)}]" if len(kinds) > 1 else next(iter(kinds))
        named = schema.get("type", [])
        words = [word for word in ([named] if isinstance(named, str) else named) if word != "null"]
        if words == ["array"]:
            return f"Sequence[{self.type_of(schema.get('items', {}))}]"
        if words == ["object"]:
            return "Mapping[str, Any]"
        if not words and "pattern" in schema:
            return "str"
        found = dict.fromkeys(SCALARS.get(word, "Any") for word in words)
        return f"Union[{', '.join(found)}]" if len(found) > 1 else next(iter(found), "Any")

    def document(self, text: str, indent: int) -> str:
        """A description as wrapped text."""
        text = re.split(r"\n```", text)[0].strip().replace("\\", "\\\\")
        return textwrap.fill(" ".join(text.split()), 110 - indent, subsequent_indent=" " * indent)

    def table(
        self, name: str, schema: dict[str, Any], base: str = "Section", tag: tuple[str, str] | None = None
    ) -> None:
        """Writes one class."""
        required = [key for key in schema.get("required", []) if tag is None or key != tag[0]]
        keys, parameters, attributes, meanings = [], [], [], []
        properties = {key: found for key, found in schema["properties"].items() if tag is None or key != tag[0]}
        # A name comes first, without its keyword; what must be given comes before what may be.
        first = "name" if "name" in required or name == "SystemTable" else None
        order = sorted(properties, key=lambda key: (key != first, key not in required))
        for key in order:
            found = properties[key]
            named = LISTS.get(key, attribute(key)) if name == "ScenarioTable" else attribute(key)
            kinds = found.get("type", [])
            is_list = "array" in kinds if isinstance(kinds, list) else kinds == "array"
            inner = self.target(found.get("items", {})) if is_list else self.target(found)
            holds = self.name(inner) if inner and self.is_table(inner) else None
            is_optional = "null" in kinds if isinstance(kinds, list) else "anyOf" in found
            is_always = bool(holds) and key not in required and not is_optional
            if holds and (is_list or "properties" not in self.definitions[str(inner)] or key in required):
                # Only a plain table can stand there empty, and a list can.
                is_always = is_list and key not in required
            parts = [json.dumps(key)]
            if holds:
                parts += [json.dumps(holds), str(is_list), str(is_always)]
            keys.append(f"        {json.dumps(named)}: Key({', '.join(parts)}),")
            kind = self.type_of(found)
            held = f"list[{holds}]" if is_list and holds else kind
            attributes.append(f"    {named}: {held}{'' if key in required or is_always else ' | None'}")
            taken = kind
            if holds == "System":
                taken = "System | str | Mapping[str, Any]"
            elif holds:
                taken = f"Sequence[{holds} | Mapping[str, Any]]" if is_list else f"{holds} | Mapping[str, Any]"
            parameters.append(f"{named}: {taken}" if key in required else f"{named}: {taken} | None = None")
            meanings.append(f"            {self.document(named + ': ' + found.get('description', ''), 16)}")
        if parameters:
            parameters.insert(0 if first is None else 1, "*")
        signature = ", ".join(["self", *parameters])
        lines = [f"class {name}({base}):", f'    """{self.document(schema.get("description", name), 4)}"""', ""]
        lines += ["    _keys: ClassVar[dict[str, Key]] = {", *keys, "    }"]
        if tag:
            lines += [f"    _tag = ({json.dumps(tag[0])}, {json.dumps(tag[1])})"]
        lines += [*attributes, "", f"    def __init__({signature}) -> None:"]
        lines += [
            '        """Takes the values of its keys.',
            "",
            *(["        Args:", *meanings, ""] if meanings else []),
        ]
        lines += ['        """']
        passed = ", ".join(f"{line.strip().split(':')[0]}={line.strip().split(':')[0]}" for line in attributes)
        lines += [f"        super().__init__({passed})", ""]
        self.classes.append("\n".join(lines))
        self.exported.append(name)

    def tagged(self, name: str, schema: dict[str, Any]) -> None:
        """Writes the base of a table that has several kinds, and its kinds."""
        choices = schema["oneOf"]
        tag = next(key for key, found in choices[0]["properties"].items() if "const" in found)
        kinds = {found["properties"][tag]["const"]: found for found in choices}
        names = {word: camel(word) + SUFFIXES[name] for word in kinds}
        entries = "".join(f"{json.dumps(word)}: {json.dumps(kind)}, " for word, kind in names.items())
        about = self.document(schema.get("description", name), 4)
        self.classes.append(
            f'class {name}(Section):\n    """{about}"""\n\n    _kinds: ClassVar[dict[str, str]] = {{{entries}}}\n'
        )
        self.exported.append(name)
        for word, found in kinds.items():
            self.table(names[word], found, name, (tag, word))
            self.classes[-1] = self.classes[-1].replace(
                "    _tag =", "    _kinds: ClassVar[dict[str, str]] = {}\n    _tag =", 1
            )

    def text(self) -> str:
        """The whole module."""
        for reference in sorted(self.definitions):
            found, name = self.definitions[reference], self.name(reference)
            if name in COMPLETED:
                described = next(choice for choice in found["anyOf"] if "properties" in choice)
                self.table(COMPLETED[name], described)
            elif "properties" in found:
                self.table(name, found)
            elif self.is_one_key(reference):
                choices = ", ".join(next(iter(choice["properties"])) for choice in found["oneOf"])
                about = self.document(f"{found.get('description', '')} One key of: {choices}.", 0).replace(
                    "\n", "\n#: "
                )
                self.aliases.append(f"#: {about}\n{name} = Mapping[str, Any]\n")
                self.exported.append(name)
            elif any("properties" in choice for choice in found.get("oneOf", [])):
                self.tagged(name, found)
            else:
                about = self.document(found.get("description", ""), 0).replace("\n", "\n#: ")
                comment = f"#: {about}\n" if about else ""
                self.aliases.append(f"{comment}{name} = {self.type_of(found)}\n")
                self.exported.append(name)
        self.table("ScenarioTable", self.schema)
        tables = [name for name, _, _ in _native.table_info()]
        self.aliases.append(
            f"#: The tables of a result.\nTableName = Literal[{', '.join(json.dumps(name) for name in tables)}]\n"
        )
        self.exported.append("TableName")
        head = (
            '"""The tables of a scenario as classes. Written by `tools/generate.py` from the schema: do not edit."""\n\n'
            "from __future__ import annotations\n\n"
            "from collections.abc import Mapping, Sequence\n"
            "from typing import TYPE_CHECKING, Any, ClassVar, Literal, Union\n\n"
            "from philae._base import Key, Section\n\n"
            "if TYPE_CHECKING:\n    from philae.system import System\n\n"
        )
        self.aliases = in_order(self.aliases)
        exported = "".join(f"    {json.dumps(name)},\n" for name in sorted(self.exported))
        return head + f"__all__ = [\n{exported}]\n\n" + "\n".join(self.aliases) + "\n\n" + "\n\n".join(self.classes)


def generate() -> str:
    """The module's text, formatted."""
    text = Generator(json.loads(_native.schema())).text()
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def main() -> int:
    """Writes or compares."""
    text = generate()
    if "--check" not in sys.argv:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.read_text(encoding="utf-8") != text:
        print(f"{TARGET} is not what the schema says: run python/tools/generate.py", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
