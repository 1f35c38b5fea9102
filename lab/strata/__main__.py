"""python -m strata ARGS"""

from strata.cli import main

main()
