"""Explained messages: where their time went, and which flows delayed them."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from typing import Any

from philae import _native
from philae._base import to_json
from philae.scenario import Scenario


class Explanations:
    """Messages with where their time went, as `philae explain` prints them."""

    def __init__(self, found: tuple[str, str]) -> None:
        """Made by `explain`."""
        self._text = found[1]
        #: One dictionary for each message, as in `philae explain --json`.
        self.messages: list[dict[str, Any]] = json.loads(found[0])

    def __len__(self) -> int:
        """Messages."""
        return len(self.messages)

    def __str__(self) -> str:
        """As the command prints them."""
        return self._text

    def __repr__(self) -> str:
        """How many."""
        return f"<philae.Explanations of {len(self)} messages>"

    def _repr_html_(self) -> str:
        """The text, for notebooks."""
        return f"<pre>{html.escape(self._text)}</pre>"


def explain(
    scenario: Scenario | Mapping[str, Any] | str | os.PathLike[str],
    job: str,
    *,
    slowest: int = 3,
    message: str | None = None,
    seed: int | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Explanations:
    """Explains a job's slowest messages: where their time went. The run is made twice with the same seed, on one thread.

    Args:
        scenario: a scenario, a dictionary like one, or the path of a TOML file.
        job: the job whose messages are explained.
        slowest: how many, the slowest first.
        message: one message instead: `"3->7"` is the slowest from rank 3 to rank 7, `"3->7:2"` the third, counted from 0.
        seed: seed of everything random, instead of the scenario's.
        overrides: values of keys, by path, as `Scenario.set` takes them.

    Raises:
        ScenarioError: the scenario cannot run, or has no such message.
        RunError: the fabric stalled, or a law of conservation was broken.
    """
    if isinstance(scenario, (str, os.PathLike)):
        scenario = Scenario.load(scenario)
    elif not isinstance(scenario, Scenario):
        scenario = Scenario.from_dict(scenario)
    values = dict(overrides or {})
    if seed is not None:
        values["seed"] = seed
    if values:
        scenario = scenario.copy().set_all(values)
    return Explanations(_native.explain(to_json(scenario), job, slowest, message))
