"""The figures of the report as Plotly data. Colours are names of CSS variables, resolved in the page."""

from typing import Any

import plotly.graph_objects as go

from strata.naming import bytes_text
from strata.report.words import heap_label
from strata.verdict import PROGRAM_METRIC

Figure = dict[str, Any]
FONT = 'system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif'
MOST_SHOWN = 2.6  # a bar longer than this is cut, and says its value


def figures(document: dict[str, Any]) -> dict[str, Figure]:
    """Every figure that the data allows."""
    drawn = {
        "graph": allocation_graph(document),
        "sizes": histogram(document["trace"]["stream"]["sizes"], "bytes_to", "bytes asked for, at most"),
        "lifetimes": histogram(
            document["trace"]["stream"]["lifetimes"], "allocations_to", "allocations until it is freed, at most"
        ),
        "interval": intervals(document),
        "time": bars(document, "time", "nanoseconds_per_event"),
        "memory": bars(document, "peak_resident_bytes", "peak_resident_bytes"),
    }
    return {name: figure for name, figure in drawn.items() if figure is not None}


def _layout(height: int, **more: Any) -> dict[str, Any]:
    axis = {"gridcolor": "--grid", "zeroline": False, "linecolor": "--line", "automargin": True, "fixedrange": True}
    title = {"standoff": 10, "font": {"size": 13}}
    base: dict[str, Any] = {
        "template": None,
        "height": height,
        "margin": {"l": 8, "r": 16, "t": 8, "b": 48},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": FONT, "size": 13, "color": "--soft"},
        "hoverlabel": {"bgcolor": "--panel", "bordercolor": "--line", "font": {"color": "--text", "family": FONT}},
        "legend": {
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 1.02,
            "yanchor": "bottom",
            "font": {"color": "--text"},
        },
        "dragmode": False,
        "xaxis": _axis(axis, title, more.pop("xaxis", {})),
        "yaxis": _axis(axis, title, more.pop("yaxis", {})),
    }
    return base | more


def _axis(common: dict[str, Any], title: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    return common | own | {"title": title | own.get("title", {"text": ""})}


def _plain(traces: list[Any], layout: dict[str, Any]) -> Figure:
    """Plotly checks the traces; the layout keeps our colour names, which are not colours to it."""
    return {"data": traces, "layout": layout}


def _check(trace: Any, **coloured: Any) -> dict[str, Any]:
    """A validated trace as plain data, with colours by name put in afterwards."""
    data: dict[str, Any] = trace.to_plotly_json()
    for path, value in coloured.items():
        *parents, last = path.split("__")
        target = data
        for parent in parents:
            target = target.setdefault(parent, {})
        target[last] = value
    return data


def _scale(peak: float) -> tuple[float, str]:
    for size, unit in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if peak >= 2 * size:
            return size, unit
    return 1, "bytes"


def allocation_graph(document: dict[str, Any]) -> Figure | None:
    """Bytes in use over time (JSS06 Figure 5), with what heaps hold resident for them."""
    live, resident = document["curves"]["live"], document["curves"]["resident"]
    if not live or not live["event"]:
        return None
    peak = max([*live["live_bytes"], *(value for curve in resident.values() for value in curve["bytes"])])
    size, unit = _scale(peak)

    def scaled(values: list[float]) -> list[float]:
        return [round(value / size, 4) for value in values]

    area = go.Scatter(
        x=live["event"],
        y=scaled(live["live_bytes"]),
        mode="lines",
        fill="tozeroy",
        name="live: asked for and not freed",
    )
    traces = [_check(area, line__color="--live", line__width=1.5, fillcolor="--live-fill")]
    for name, curve in resident.items():
        role = "--current" if name == "current" else "--winner" if name == document["verdict"]["heap"] else "--ours"
        line = go.Scatter(x=curve["event"], y=scaled(curve["bytes"]), mode="lines", name=f"resident under {name}")
        dash = "solid" if role == "--winner" else "dot" if role == "--current" else "dash"
        traces.append(_check(line, line__color=role, line__width=2, line__dash=dash, line__shape="hv"))
    layout = _layout(
        400,
        xaxis={"title": {"text": "time, in allocation events"}, "rangemode": "tozero"},
        yaxis={"title": {"text": unit}, "rangemode": "tozero"},
        hovermode="x unified",
        margin={"l": 8, "r": 16, "t": 76, "b": 48},
    )
    return _plain(traces, layout)


def _edge(value: int, key: str) -> str:
    if key == "bytes_to" and value >= 1024:
        return bytes_text(value).replace(" ", "").replace("iB", "")
    for limit, letter in ((1 << 30, "G"), (1 << 20, "M"), (1 << 10, "k")):
        if value >= limit:
            return f"{value // limit}{letter}"
    return str(value)


def histogram(bins: list[dict[str, int]], key: str, axis_title: str) -> Figure | None:
    """Shares of all allocations, bins at powers of two."""
    total = sum(one["count"] for one in bins)
    if not total:
        return None
    last = max(index for index, one in enumerate(bins) if one["count"])
    shown = bins[: last + 1]
    labels = [_edge(one[key], key) for one in shown]
    bar = go.Bar(
        x=labels,
        y=[round(100 * one["count"] / total, 3) for one in shown],
        customdata=[f"{one['count']:,}" for one in shown],
        hovertemplate="up to %{x}: %{y:.1f}%<br>%{customdata} objects<extra></extra>",
    )
    layout = _layout(
        270,
        xaxis={
            "title": {"text": axis_title},
            "type": "category",
            "showgrid": False,
            "tickangle": 0,
            "tickvals": labels[:: max(1, -(-len(labels) // 9))],
        },
        yaxis={"ticksuffix": "%", "rangemode": "tozero", "nticks": 5},
        bargap=0.15,
    )
    return _plain([_check(bar, marker__color="--live")], layout)


def _measured(document: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for row in document["heaps"] if not row["disqualified"] and (row["program"] or row["replay"])]


def _name(row: dict[str, Any], document: dict[str, Any]) -> str:
    """A long recipe name on several lines, the winner in bold."""
    label = heap_label(row, document).replace(":", "<br>:") if row["kind"] == "ours" else heap_label(row, document)
    return f"<b>{label}</b>" if row["heap"] == document["verdict"]["heap"] else label


def intervals(document: dict[str, Any]) -> Figure | None:
    """The decisive picture: the ratio of running time on the program, with its interval, beside 1."""
    objective = document["options"]["objective"]
    metric = PROGRAM_METRIC[objective]
    rows = [row for row in _measured(document) if row["program"] and row["kind"] != "current"]
    if not rows:
        return None
    ratios = [row["program"][metric]["ratio"] for row in rows]
    low = [ratio["low"] if ratio["low"] is not None else ratio["estimate"] for ratio in ratios]
    high = [ratio["high"] if ratio["high"] is not None else ratio["estimate"] for ratio in ratios]
    points = go.Scatter(
        x=[ratio["estimate"] for ratio in ratios],
        y=[_name(row, document) for row in rows],
        mode="markers",
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [h - r["estimate"] for h, r in zip(high, ratios, strict=True)],
            "arrayminus": [r["estimate"] - lo for lo, r in zip(low, ratios, strict=True)],
            "thickness": 2.5,
            "width": 6,
        },
        customdata=[[lo, hi] for lo, hi in zip(low, high, strict=True)],
        hovertemplate="%{y}: %{x:.3f}, interval %{customdata[0]:.3f} to %{customdata[1]:.3f}<extra></extra>",
    )
    colours = ["--good" if hi < 1 else "--soft" for hi in high]
    trace = _check(points, marker__color=colours, marker__size=12, error_x__color="--soft")
    reach = max(0.03, *(abs(1 - value) for value in [*low, *high])) * 1.12
    layout = _layout(
        80 + 46 * len(rows),
        xaxis={
            "title": {"text": "← better    worse →"},
            "range": [max(0.0, 1 - reach), 1 + reach],
        },
        yaxis={"autorange": "reversed", "showgrid": False, "tickfont": {"color": "--text"}},
        shapes=[_one_line()],
    )
    return _plain([trace], layout)


def _one_line() -> dict[str, Any]:
    return {
        "type": "line",
        "x0": 1,
        "x1": 1,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": "--text", "width": 1.2},
    }


def bars(document: dict[str, Any], program_metric: str, replay_metric: str) -> Figure | None:
    """One heap a group, normalised to the current heap (PLDI01 Figure 6), program and replay side by side."""
    rows = _measured(document)
    if not rows:
        return None
    parts = [
        ("on the program", "program", program_metric, "--program"),
        ("in the replay", "replay", replay_metric, "--replay"),
    ]
    traces, longest = [], 1.0
    for title, part, metric, colour in parts:
        having = [row for row in rows if row[part]]
        if having:
            trace, most = _bars_of(having, document, title, part, metric, colour)
            traces.append(trace)
            longest = max(longest, most)
    limit = min(longest, MOST_SHOWN) * 1.22
    layout = _layout(
        126 + (26 * len(traces) + 14) * len(rows),
        xaxis={"title": {"text": "times the current heap"}, "range": [0, limit], "side": "bottom"},
        yaxis={"autorange": "reversed", "showgrid": False, "tickfont": {"color": "--text"}},
        barmode="group",
        bargap=0.28,
        bargroupgap=0.08,
        shapes=[_one_line()],
        legend={
            "orientation": "h",
            "x": 0,
            "y": 1.0,
            "yanchor": "bottom",
            "font": {"color": "--text"},
            "traceorder": "normal",
        },
        margin={"l": 8, "r": 16, "t": 40, "b": 48},
    )
    return _plain(traces, layout)


def _bars_of(
    rows: list[dict[str, Any]], document: dict[str, Any], title: str, part: str, metric: str, colour: str
) -> tuple[dict[str, Any], float]:
    ratios = [row[part][metric]["ratio"] for row in rows]
    values = [ratio["estimate"] for ratio in ratios]
    ups = [(ratio["high"] or ratio["estimate"]) - ratio["estimate"] for ratio in ratios]
    downs = [ratio["estimate"] - (ratio["low"] or ratio["estimate"]) for ratio in ratios]
    bar = go.Bar(
        x=values,
        y=[_name(row, document) for row in rows],
        orientation="h",
        name=title,
        error_x={"type": "data", "symmetric": False, "array": ups, "arrayminus": downs, "thickness": 1.4, "width": 3},
        hovertemplate="%{y} " + title + ": %{x:.3f}<extra></extra>",
    )
    trace = _check(bar, marker__color=colour, error_x__color="--text")
    trace["text"] = [f"{value:.2f}" for value in values]
    trace["textposition"] = "inside"
    trace["insidetextanchor"] = "start"
    trace["textfont"] = {"color": "--on-bar"}
    return trace, max(value + up for value, up in zip(values, ups, strict=True))
