"""Plots: each draws what the tables hold, with labels and units."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import philae
import pytest
from conftest import small

mpl.use("Agg")


@pytest.mark.parametrize("name", ["latency_cdf", "utilisation", "heatmap", "timeline"])
def test_plots_have_a_title_and_units(result: philae.Result, name: str, tmp_path: Path) -> None:
    axes = getattr(result.plot, name)()
    assert axes.get_title(loc="left").startswith("victim on tiny")
    assert "us)" in axes.get_xlabel()
    axes.figure.savefig(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 5_000


def test_the_latency_line_is_the_distribution(result: philae.Result) -> None:
    axes = result.plot.latency_cdf(job="victim")
    line = axes.get_lines()[0]
    assert np.allclose(line.get_xdata(), np.sort(result["messages"]["latency_ps"]) / 1e6)
    with pytest.raises(philae.ResultError, match="no messages of job 'other'; jobs that have some: victim"):
        result.plot.latency_cdf(job="other")


def test_mean_utilisation_counts_idle_links_too(result: philae.Result) -> None:
    axes = result.plot.utilisation()
    ports, wiring = result["ports"], result.plot.wiring()
    steps: dict[str, Any] = {str(patch.get_label()): patch for patch in axes.patches}
    for role in ("edge", "local", "global"):
        values, edges, _ = steps[f"{role} links, mean"].get_data()
        sent = (
            float((values / 100 * np.diff(edges) * 1e6).sum()) * wiring["rate_mbps"][wiring["role"] == role].sum() / 8e6
        )
        assert np.isclose(sent, ports["bytes"][ports["role"] == role].sum())


def test_the_topology_has_a_line_for_each_joined_pair(result: philae.Result) -> None:
    axes = result.plot.topology()
    wiring = result.plot.wiring().to_dict()
    pairs = {
        frozenset((one, other)) for one, other in zip(wiring["switch"], wiring["peer_switch"]) if other is not None
    }
    (lines,) = (found for found in axes.collections if hasattr(found, "get_segments"))
    assert len(lines.get_segments()) == len(pairs) == 4
    assert np.max(lines.get_array()) > 0


def test_a_timeline_has_a_bar_for_each_row(result: philae.Result) -> None:
    (bars,) = result.plot.timeline().collections
    assert len(bars.get_paths()) == len(result["iterations"]) == 48
    (bars,) = result.plot.timeline(what="messages", most=2).collections
    assert len(bars.get_paths()) == 2 * 15 * 3


def test_a_loaded_folder_has_the_same_plots(result: philae.Result, tmp_path: Path) -> None:
    loaded = philae.load(result.save(tmp_path / "result"))
    assert loaded.plot.topology().get_title(loc="left") == result.plot.topology().get_title(loc="left")


def test_without_a_time_series_a_plot_says_what_would_help() -> None:
    result = philae.run(small(measure={"sample_interval": 0}), progress=False)
    with pytest.raises(philae.ResultError, match="sample_interval"):
        result.plot.heatmap()
    with pytest.raises(ValueError, match="one of utilisation, queued_bytes_max, stalled_ps would work"):
        result.plot.heatmap("load")


def test_plots_are_drawn_on_the_axes_that_are_given(result: philae.Result) -> None:
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2)
    assert result.plot.latency_cdf(ax=left) is left
    assert result.plot.timeline(ax=right) is right
    plt.close(figure)
