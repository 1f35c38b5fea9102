"""Measurements as the plain data that tables, reports and result.json are made from."""

from collections.abc import Sequence
from typing import Any

from strata.experiment import Measurements
from strata.heaps import Heap
from strata.statistics import Ratio

Row = dict[str, Any]


def ratio_data(ratio: Ratio) -> dict[str, Any]:
    return {"estimate": ratio.estimate, "low": ratio.low, "high": ratio.high, "pairs": ratio.pairs}


def metric_data(
    measurements: Measurements, arm: str, baseline: str, metric: str, *, confidence: float
) -> dict[str, Any]:
    """Median, spread and paired ratio of one metric of one arm."""
    spread = measurements.spread(arm, metric)
    return {
        "median": spread.median,
        "low": spread.low,
        "high": spread.high,
        "lower_quartile": spread.lower_quartile,
        "upper_quartile": spread.upper_quartile,
        "runs": spread.runs,
        "ratio": ratio_data(measurements.ratio(arm, baseline, metric, confidence=confidence)),
    }


def arm_data(measurements: Measurements, arm: str, baseline: str, *, confidence: float) -> dict[str, Any] | None:
    """All metrics of one arm; None if it was never measured in a whole round, or failed."""
    if arm not in measurements.arms or baseline not in measurements.arms:
        return None
    return {
        metric: metric_data(measurements, arm, baseline, metric, confidence=confidence)
        for metric in measurements.samples[arm][0]
    }


def heap_data(heap: Heap) -> Row:
    recipe = heap.recipe
    return {
        "heap": heap.name,
        "kind": heap.kind,
        "library": str(heap.library) if heap.library else None,
        "version": heap.version,
        "recipe": {"heap": recipe.entry.name, "tunables": dict(recipe.tunables)} if recipe else None,
    }


def ranked(rows: Sequence[Row], part: str, metric: str) -> list[Row]:
    """Measured rows by their ratio, then the rest in the order they came."""

    def place(row: Row) -> tuple[int, float]:
        data = row.get(part)
        return (0, data[metric]["ratio"]["estimate"]) if data and metric in data else (1, 0.0)

    return sorted(rows, key=place)
