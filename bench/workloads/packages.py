"""Which Debian packages the workloads need are missing here, and installing them."""

import os
import shutil
import subprocess
from collections.abc import Iterable

from strata.errors import UserError
from strata.terminal import say
from workloads.model import MADE


def missing_packages(names: Iterable[str]) -> list[str]:
    """Those that are not installed, in order."""
    if shutil.which("dpkg-query") is None:
        raise UserError("the workloads are programs of Debian 12, which this system (it has no dpkg-query) is not")
    listed = subprocess.run(
        ["dpkg-query", "-W", "-f", "${binary:Package} ${db:Status-Status}\n"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    states = (line.partition(" ") for line in listed.splitlines())
    installed = {name.partition(":")[0] for name, _, state in states if state == "installed"}
    return [name for name in dict.fromkeys(names) if name not in installed]


def install(names: list[str]) -> None:
    """As root, installs packages; else says which."""
    if not names:
        return
    if os.geteuid() != 0:
        raise UserError(f"packages are missing; as root: apt-get install --no-install-recommends {' '.join(names)}")
    say(f"strata: installing Debian packages: {' '.join(names)}")
    MADE.mkdir(parents=True, exist_ok=True)
    log = MADE / "packages.log"
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install_command = ["apt-get", "install", "-y", "--no-install-recommends", *names]
    with log.open("wb") as output:
        for command in (["apt-get", "update"], install_command):
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, env=quiet, check=False
            )
            if done.returncode != 0:
                last = log.read_text(errors="replace").strip().splitlines()[-1:]
                raise UserError(f"{' '.join(command[:2])} failed ({''.join(last)}); its output is in {log}")
