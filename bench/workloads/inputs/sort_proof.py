"""Bounded verification of bubble sort, as a model checker unrolls it: arrays and integers for an SMT solver.

After the loops the array is ordered and holds the value it held at any one place before: no counterexample exists.
The argument is the length of the array.
"""

import sys

length = int(sys.argv[1])
print("(set-logic QF_AUFLIA)\n(declare-fun a0 () (Array Int Int))\n(declare-fun probe () Int)")
version = 0
for end in range(length - 1, 0, -1):
    for i in range(end):
        old, version = f"a{version}", version + 1
        here, there = f"(select {old} {i})", f"(select {old} {i + 1})"
        swapped = f"(store (store {old} {i} {there}) {i + 1} {here})"
        print(f"(define-fun a{version} () (Array Int Int) (ite (> {here} {there}) {swapped} {old}))")
final = f"a{version}"
ordered = " ".join(f"(<= (select {final} {i}) (select {final} {i + 1}))" for i in range(length - 1))
kept = " ".join(f"(= (select {final} {i}) (select a0 probe))" for i in range(length))
print(f"(push)\n(assert (not (and {ordered})))\n(check-sat)\n(pop)")
print(f"(push)\n(assert (and (<= 0 probe) (< probe {length})))\n(assert (not (or {kept})))\n(check-sat)\n(pop)")
