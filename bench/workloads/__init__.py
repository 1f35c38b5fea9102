"""The programs that every benchmark here measures: real ones of Debian 12, each with two real inputs.

`.venv/bin/python bench/workloads` sets them up and checks them. Importing this package fixes what else their output
would depend on: the language, the seeds of hashes, and options that the user's environment gives to interpreters.
"""

import os

from workloads.choice import workloads
from workloads.model import Case, Workload

__all__ = ["Case", "Workload", "workloads"]

FIXED = {
    "PYTHONMALLOC": "malloc",  # every object of the interpreter from malloc, not from its own arenas
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",  # the first run does what every other does
    "PERL_HASH_SEED": "0",
    "PERL_PERTURB_KEYS": "0",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
}
UNSET = (
    *("PYTHONPATH", "PYTHONHOME", "PERL5LIB", "PERL5OPT", "RUBYLIB", "RUBYOPT", "LUA_INIT", "LUA_PATH", "LUA_CPATH"),
    *("AWKPATH", "POSIXLY_CORRECT", "GS_OPTIONS", "GS_LIB", "BC_ENV_ARGS", "BC_LINE_LENGTH", "XZ_OPT", "XZ_DEFAULTS"),
)
os.environ.update(FIXED)
for name in UNSET:
    os.environ.pop(name, None)
