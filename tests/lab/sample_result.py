"""A small result.json, as `strata tune` writes it: glibc against one of ours, a peer, and one that crashed."""

from typing import Any


def metric(median: float, ratio: float, width: float = 0.01) -> dict[str, Any]:
    return {
        "median": median,
        "low": median * 0.98,
        "high": median * 1.03,
        "lower_quartile": median * 0.99,
        "upper_quartile": median * 1.01,
        "runs": 9,
        "ratio": {"estimate": ratio, "low": ratio - width, "high": ratio + width, "pairs": 9},
    }


def replay(nanoseconds: float, ratio: float, memory: float) -> dict[str, Any]:
    return {
        "nanoseconds_per_event": metric(nanoseconds, ratio),
        "peak_resident_bytes": metric(memory * 2**20, memory / 40),
        "average_resident_bytes": metric(memory * 2**19, memory / 40),
        "balanced": metric(1.0, ratio),
    }


def program(seconds: float, ratio: float, memory: float) -> dict[str, Any]:
    return {
        "time": metric(seconds * 0.97, ratio),
        "seconds": metric(seconds, ratio),
        "cpu_seconds": metric(seconds * 0.97, ratio),
        "peak_resident_bytes": metric(memory * 2**20, memory / 50),
        "average_resident_bytes": metric(memory * 2**19, memory / 50),
        "balanced": metric(1.0, ratio),
    }


def heap(name: str, kind: str, **more: Any) -> dict[str, Any]:
    empty = {"library": None, "version": None, "recipe": None, "replay": None, "program": None, "disqualified": None}
    return {"heap": name, "kind": kind} | empty | more


RESULT: dict[str, Any] = {
    "format": 1,
    "strata": "0.1.0",
    "made": "2026-01-01T12:00:00+00:00",
    "options": {"budget": 120.0, "objective": "time", "seed": 1, "runs": None},
    "machine": {
        "cpu": "A processor",
        "cpus": 2,
        "memory_bytes": 8 << 30,
        "kernel": "6.1",
        "system": "Debian GNU/Linux 12",
        "huge_pages": "always [madvise] never",
        "libc": "glibc-2.36",
        "compiler": "g++ 12.2.0",
        "python": "3.11.2",
        "strata": "0.1.0",
    },
    "program": {
        "name": "perl",
        "command": ["perl", "a <script>.pl"],
        "stdin": None,
        "exit_status": 0,
        "output_comparable": True,
        "clock": "cpu",
        "seconds": 1.0,
        "cpu_seconds": 0.97,
        "peak_resident_bytes": 50 << 20,
        "recording_seconds": 1.2,
    },
    "trace": {
        "path": "perl.strata/program.trace",
        "file_bytes": 1 << 20,
        "complete": True,
        "processes": 1,
        "events": 2_000_000,
        "choice": "perl (pid 7): 2 million events",
        "stream": {
            "id": 0,
            "pid": 7,
            "parent_pid": 1,
            "program": "/usr/bin/perl",
            "command": ["perl", "a <script>.pl"],
            "events": 2_000_000,
            "peak_live_bytes": 32 << 20,
            "sizes": [{"bytes_to": 8, "count": 10}, {"bytes_to": 16, "count": 900}, {"bytes_to": 4096, "count": 3}],
            "lifetimes": [{"allocations_to": 1, "count": 500}, {"allocations_to": 2, "count": 100}],
        },
    },
    "current": {"allocator": "glibc", "version": "2.36-9"},
    "at_stake": {
        "malloc_seconds": 0.2,
        "cpu_seconds": 0.97,
        "share_of_cpu": 0.206,
        "peak_live_bytes": 32 << 20,
        "peak_resident_bytes": 40 << 20,
        "resident_over_live": 1.25,
    },
    "verdict": {
        "kind": "ours",
        "heap": "kingsley:steps=4",
        "confirmed": True,
        "sentences": ["Use kingsley:steps=4, Strata's own composition: 8.0% less time than what you have."],
    },
    "heaps": [
        heap(
            "kingsley:steps=4",
            "ours",
            library="/cache/libstrata-kingsley.so",
            recipe={"heap": "kingsley", "tunables": {"steps": 4}},
            replay=replay(40, 0.5, 44),
            program=program(0.92, 0.92, 54),
        ),
        heap(
            "jemalloc",
            "peer",
            library="/lib/libjemalloc.so.2",
            version="5.3.0-1",
            replay=replay(60, 0.75, 42),
            program=program(0.97, 0.97, 52),
        ),
        heap("current", "current", replay=replay(80, 1.0, 40), program=program(1.0, 1.0, 50)),
        heap("mimalloc", "peer", version="2.0.9", disqualified="crashed with signal 11 (SIGSEGV)"),
    ],
    "null": {"nanoseconds_per_event": 4.0, "low": 3.9, "high": 4.2},
    "screened": [{"heap": "kingsley:steps=4", "ratio": 0.5}, {"heap": "kingsley", "ratio": 0.6}],
    "disqualified": {"mimalloc": "crashed with signal 11 (SIGSEGV)"},
    "rank_agreement": {"heaps": 4, "time": 0.8, "memory": 1.0},
    "rounds": {"replay": 9, "program": 9, "confidence": 0.975, "orders": [["current", "jemalloc"]]},
    "curves": {
        "live": {
            "event": [0, 1_000_000, 2_000_000],
            "seconds": [0.0, 0.5, 1.0],
            "live_bytes": [0, 32 << 20, 30 << 20],
            "live_objects": [0, 900, 800],
        },
        "resident": {
            "current": {"event": [0, 1_000_000, 2_000_000], "bytes": [0, 40 << 20, 40 << 20], "live_bytes": [0, 1, 1]},
            "kingsley:steps=4": {"event": [0, 2_000_000], "bytes": [0, 44 << 20], "live_bytes": [0, 1]},
        },
    },
    "notes": ["a note for the reader"],
    "interrupted": False,
    "use": {
        "library": "/home/me/perl.strata/libstrata-perl.so",
        "command": "LD_PRELOAD=/home/me/perl.strata/libstrata-perl.so perl 'a <script>.pl'",
    },
    "files": {
        "deploy": "deploy.md",
        "library": "libstrata-perl.so",
        "recipe": "recipe.toml",
        "report": "report.html",
        "result": "result.json",
    },
}
