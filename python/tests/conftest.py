"""What the tests share."""

from __future__ import annotations

import philae
import pytest


def small(**keys: object) -> philae.Scenario:
    """Sixteen nodes of a small dragonfly, done in milliseconds."""
    system = philae.System(
        "tiny",
        dragonfly=philae.Dragonfly(
            links_per_pair=2,
            groups=[philae.GroupKind("compute", count=2, switches=2, endpoints_per_switch=4)],
        ),
    )
    job = philae.Job("victim", workload=philae.Alltoall(bytes="4KiB", iterations=3))
    values = {"system": system, "jobs": [job], "measure": {"sample_interval": "2us"}, **keys}
    return philae.Scenario(**values)  # type: ignore[arg-type]


@pytest.fixture
def scenario() -> philae.Scenario:
    return small()


@pytest.fixture(scope="session")
def result() -> philae.Result:
    return philae.run(small(), progress=False)
