"""All workloads under all heaps, on the program and in the replay: the parts of bench/programs.py."""
