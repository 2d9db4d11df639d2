"""Comparison of results."""

from __future__ import annotations

import html
import json
import os
import tempfile
from pathlib import Path
from typing import Any

from philae import _native
from philae.result import Result


class Comparison:
    """A comparison of results, as `philae compare` prints it: A, B, C in their order, ratios relative to A."""

    def __init__(self, found: tuple[str, str, str]) -> None:
        """Made by `compare`."""
        self._json, self._text, self._page = found

    def to_dict(self) -> dict[str, Any]:
        """All of it, as `philae compare --json` prints it."""
        found: dict[str, Any] = json.loads(self._json)
        return found

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page with the distributions over each other; it opens without a network."""
        path = Path(path)
        path.write_text(self._page, encoding="utf-8")
        return path

    def __str__(self) -> str:
        """As the command prints it."""
        return self._text

    def __repr__(self) -> str:
        """Which results."""
        found = self.to_dict()
        names = [result["folder"] for result in found["results"]] if "results" in found else found["files"]
        return f"<philae.Comparison of {', '.join(names)}>"

    def _repr_html_(self) -> str:
        """The page, for notebooks."""
        page = html.escape(self._page, quote=True)
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 36em; border: 0"></iframe>'


def compare(*results: Result | str | os.PathLike[str]) -> Comparison:
    """Compares results: differences of their scenarios, and the effect on jobs, links and counters.

    Args:
        results: two or more: results of `run`, or folders of earlier ones (studies of `philae reproduce` work, too).

    Raises:
        ResultError: one is not a result, or they are of different kinds.
    """
    with tempfile.TemporaryDirectory(prefix="philae-compare-") as scratch:
        folders = []
        for place, result in enumerate(results):
            if isinstance(result, Result):
                folders.append(result.folder or result.save(Path(scratch) / chr(ord("A") + place)))
            else:
                folders.append(Path(result))
        return Comparison(_native.compare([os.fspath(folder) for folder in folders]))
