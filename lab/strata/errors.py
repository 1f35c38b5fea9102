"""What goes wrong because of what the user gave us: told in one line, never with a traceback."""


class UserError(Exception):
    """One line that names the culprit and the mend, and the exit status to leave with."""

    def __init__(self, message: str, exit_status: int = 1) -> None:
        super().__init__(message)
        self.exit_status = exit_status
