"""Which workloads are meant, and whether they are set up here."""

from collections.abc import Iterable

from strata.errors import UserError
from strata.naming import nearest
from workloads.catalogue import ALL
from workloads.model import Workload
from workloads.packages import missing_packages

SET_UP = ".venv/bin/python bench/workloads"


def named(names: Iterable[str] = ()) -> list[Workload]:
    """Those of these names, in their order; all of them if there are none."""
    known = {workload.name: workload for workload in ALL}
    wanted = list(dict.fromkeys(names)) or list(known)
    for name in wanted:
        if name not in known:
            raise UserError(f"{name}: no such workload: {nearest(name, known)}")
    return [known[name] for name in wanted]


def workloads(names: Iterable[str] = ()) -> list[Workload]:
    """Those of these names, or all, each set up."""
    chosen = named(names)
    absent = set(missing_packages(package for workload in chosen for package in workload.packages))
    bare = [
        workload.name
        for workload in chosen
        if absent.intersection(workload.packages) or any(not one.path.exists() for one in workload.inputs)
    ]
    if bare:
        raise UserError(f"not set up here: {', '.join(bare)}: run {SET_UP} {' '.join(bare)}")
    return chosen
