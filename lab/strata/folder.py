"""The folder that a tuning leaves: ours to write into, never somebody else's."""

from pathlib import Path

from strata.errors import UserError

MARK = ".strata"  # says that the folder is ours
MARK_TEXT = "This folder was made by `strata tune`, which replaces its files when it is run again.\n"


class Folder:
    """PROGRAM.strata/ or what -o names."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def claim(self) -> None:
        """Makes the folder, or takes one of ours; refuses any other that is not empty."""
        if self.path.exists() and not self.path.is_dir():
            raise UserError(f"{self.path}: is a file: choose another folder with -o DIR")
        ours = (self.path / MARK).exists()
        if self.path.exists() and not ours and any(self.path.iterdir()):
            raise UserError(f"{self.path}: is there already and not of strata tune: choose another with -o DIR")
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            (self.path / MARK).write_text(MARK_TEXT)
        except OSError as error:
            raise UserError(f"{self.path}: {error.strerror}: choose another folder with -o DIR") from error

    def file(self, name: str) -> Path:
        return self.path / name

    def write(self, name: str, text: str) -> Path:
        """Whole or not at all: a reader never sees half a report."""
        target = self.file(name)
        partial = target.with_name(f".{name}.part")
        partial.write_text(text, encoding="utf-8")
        return partial.replace(target)

    def remove(self, name: str) -> None:
        self.file(name).unlink(missing_ok=True)
