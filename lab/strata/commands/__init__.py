"""The subcommands of `strata`, one module each."""
