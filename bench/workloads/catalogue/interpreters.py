"""Interpreters: small objects of many sizes, most of them young when they die."""

from pathlib import Path

from workloads.model import OURS, Workload, case

PODS = Path("/usr/share/perl/5.36.0/pod")
REST = Path("/usr/share/doc/docutils-doc")

ALL = [
    Workload(
        name="gawk",
        what="gawk gathering the properties of each character of Unicode; held out: finding the anagrams in a list of words",
        tune=case("/usr/bin/gawk", "-f", OURS / "properties.awk", "/usr/share/unicode/DerivedCoreProperties.txt"),
        held_out=case("/usr/bin/gawk", "-f", OURS / "anagrams.awk", "/usr/share/dict/american-english"),
        packages=("gawk", "unicode-data", "wamerican"),
    ),
    Workload(
        name="perl",
        what="perltidy laying out the source of perl's debugger; held out: pod2text on perl's manual of functions",
        tune=case("/usr/bin/perl", "/usr/bin/perltidy", "-st", "-se", "/usr/share/perl/5.36.0/perl5db.pl"),
        held_out=case("/usr/bin/perl", "/usr/bin/pod2text", PODS / "perlfunc.pod"),
        packages=("perl", "perltidy", "perl-doc"),
    ),
    Workload(
        name="python3",
        what="docutils making HTML of a manual, every object from malloc; held out: lib2to3 refactoring the turtle module",
        tune=case("/usr/bin/python3", "-m", "docutils", REST / "docs/ref/doctree.txt"),
        held_out=case("/usr/bin/python3", "-m", "lib2to3", "/usr/lib/python3.11/turtle.py"),
        packages=("python3", "python3-docutils", "docutils-doc", "python3-lib2to3"),
    ),
]
