"""Every workload, as data."""

from workloads.catalogue import compilers, documents, engines, interpreters
from workloads.model import Workload

ALL: list[Workload] = [*interpreters.ALL, *compilers.ALL, *documents.ALL, *engines.ALL]
