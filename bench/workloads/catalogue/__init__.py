"""Every workload, as data."""

from workloads.catalogue import compilers, interpreters
from workloads.model import Workload

ALL: list[Workload] = [*interpreters.ALL, *compilers.ALL]
