"""The job shop of Fisher and Thompson (1963), ten jobs on ten machines, as difference logic for an SMT solver.

Asks for schedules that end in the times given as arguments. Every job takes its steps in order; a machine does one
step at a time. The best schedule is known to take 930.
"""

import sys
from itertools import combinations

STEPS = """
0 29 1 78 2 9 3 36 4 49 5 11 6 62 7 56 8 44 9 21
0 43 2 90 4 75 9 11 3 69 1 28 6 46 5 46 7 72 8 30
1 91 0 85 3 39 2 74 8 90 5 10 7 12 6 89 9 45 4 33
1 81 2 95 0 71 4 99 6 9 8 52 7 85 3 98 9 22 5 43
2 14 0 6 1 22 5 61 3 26 4 69 8 21 7 49 9 72 6 53
2 84 1 2 5 52 3 95 8 48 9 72 0 47 6 65 4 6 7 25
1 46 0 37 3 61 2 13 6 32 5 21 9 32 8 89 7 30 4 55
2 31 0 86 1 46 5 74 4 32 6 88 8 19 9 48 7 36 3 79
0 76 1 69 3 76 5 51 2 85 9 11 6 40 7 89 4 26 8 74
1 85 0 13 2 61 6 7 8 64 9 76 5 47 3 52 4 90 7 45
"""

numbers = [[int(word) for word in line.split()] for line in STEPS.split("\n") if line]
jobs = [list(zip(line[::2], line[1::2], strict=True)) for line in numbers]
print("(set-logic QF_IDL)\n(declare-fun end () Int)")
for j, job in enumerate(jobs):
    for k in range(len(job)):
        print(f"(declare-fun s{j}_{k} () Int)")
    print(f"(assert (>= s{j}_0 0))")
    for k, (_, time) in enumerate(job):
        after = f"s{j}_{k + 1}" if k + 1 < len(job) else "end"
        print(f"(assert (>= (- {after} s{j}_{k}) {time}))")
steps = [(machine, time, f"s{j}_{k}") for j, job in enumerate(jobs) for k, (machine, time) in enumerate(job)]
for (machine, time, first), (other, other_time, second) in combinations(steps, 2):
    if machine == other:
        print(f"(assert (or (>= (- {second} {first}) {time}) (>= (- {first} {second}) {other_time})))")
for bound in sys.argv[1:]:
    print(f"(push)\n(assert (<= end {bound}))\n(check-sat)\n(pop)")
