"""The machine and the versions that a measurement was made on."""

import os
import platform
from pathlib import Path

from strata import __version__
from strata.compiler import find_compiler

BUSY_LOAD = 0.5  # of the CPUs; what else runs widens every interval


def busy() -> list[str]:
    """A remark if something else runs, else nothing: asked before a measurement begins."""
    load, cpus = os.getloadavg()[0], len(os.sched_getaffinity(0))
    if load <= BUSY_LOAD * cpus:
        return []
    return [
        f"the machine was busy before this began (load {load:.1f} on {cpus} CPUs): what else runs makes intervals wider"
    ]


def _field(path: str, key: str) -> str | None:
    try:
        lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    for line in lines:
        name, separator, value = line.replace("=", ":", 1).partition(":")
        if separator and name.strip() == key:
            return value.strip().strip('"')
    return None


def describe() -> dict[str, str | int | None]:
    """No host name and no user: a report is made to be handed on."""
    compiler = find_compiler()
    memory = (_field("/proc/meminfo", "MemTotal") or "0 kB").split()[0]
    huge = Path("/sys/kernel/mm/transparent_hugepage/enabled")
    return {
        "cpu": _field("/proc/cpuinfo", "model name") or platform.machine(),
        "cpus": len(os.sched_getaffinity(0)),
        "memory_bytes": int(memory) * 1024,
        "kernel": platform.release(),
        "system": _field("/etc/os-release", "PRETTY_NAME"),
        "huge_pages": huge.read_text().strip() if huge.exists() else None,
        "libc": "-".join(part for part in platform.libc_ver() if part),
        "compiler": compiler.version if compiler else None,
        "python": platform.python_version(),
        "strata": __version__,
    }
