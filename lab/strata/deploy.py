"""deploy.md: how to use what was recommended, and our library, outside Strata."""

from pathlib import Path

from strata.tools import shell_words


def preload_command(library: str, command: list[str] | None) -> str:
    return f"LD_PRELOAD={shell_words([library])} {shell_words(command) if command else 'PROGRAM ARGS...'}"


def markdown(
    *, recommended: str | None, library: str | None, ours: Path | None, command: list[str] | None, sentences: list[str]
) -> str:
    """`library` is what is recommended to preload, None to change nothing; `ours` the library that lies beside."""
    parts = ["# How to use this result", "", *sentences, ""]
    shown = library or (str(ours) if ours else None)
    if shown is None:
        parts.append("No library was built here, so there is nothing to deploy.")
        return "\n".join(parts) + "\n"
    if library is None:
        parts += ["Nothing need be deployed. Should you want to use our best composition nevertheless:", ""]
    elif recommended and ours is not None and str(ours) != library:
        parts += [
            f"The recommended allocator, {recommended}, is installed on this machine; install it where you deploy.",
            "",
        ]
    parts += _ways(Path(shown), command)
    return "\n".join(parts) + "\n"


def _ways(library: Path, command: list[str] | None) -> list[str]:
    name, program = library.name, shell_words(command) if command else "PROGRAM ARGS..."
    stem = name.removeprefix("lib").split(".so")[0]
    return [
        "## Shell",
        "",
        "```sh",
        preload_command(str(library), command),
        "```",
        "",
        "## systemd",
        "",
        f"Put the library where the service can read it (`install -m 644 {name} /usr/local/lib/`), then "
        "`systemctl edit SERVICE`:",
        "",
        "```ini",
        "[Service]",
        f"Environment=LD_PRELOAD=/usr/local/lib/{name}",
        "```",
        "",
        "## Container",
        "",
        "```dockerfile",
        f"COPY {name} /usr/local/lib/{name}",
        f"ENV LD_PRELOAD=/usr/local/lib/{name}",
        "```",
        "",
        "The library needs glibc; an image with musl (Alpine) cannot use it.",
        "",
        "## Linking",
        "",
        "Linked first, it is the program's malloc without any environment variable:",
        "",
        "```sh",
        f"cc ... -L /usr/local/lib -l:{name} -Wl,-rpath,/usr/local/lib",
        "```",
        "",
        "## Check that it is used",
        "",
        "```sh",
        f"LD_PRELOAD={library} sh -c 'grep -m1 {stem} /proc/self/maps' || echo 'not loaded'",
        "```",
        "",
        f"It changes nothing in setuid programs, and nothing in statically linked ones. Measured with: `{program}`.",
    ]
