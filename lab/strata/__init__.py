"""The lab: the `strata` command, which finds the best memory allocator for a program."""

__version__ = "0.1.0"
