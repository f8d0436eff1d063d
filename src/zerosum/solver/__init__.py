"""What is true: the exact verdict and distance of every position.

>>> from zerosum.rules.game_files import load_game
>>> solution = solve(load_game("sum31"))
>>> solution.value(solution.start)
Value(verdict=Verdict.LOSS, plies=7)
"""

from zerosum.solver.choose_method import MEMORY
from zerosum.solver.laws import Fact, Law
from zerosum.solver.solution import Solution, solution_of, solve
from zerosum.solver.value import Option, SolverError, TooLargeError, Value, Verdict

__all__ = [
    "MEMORY",
    "Fact",
    "Law",
    "Option",
    "Solution",
    "SolverError",
    "TooLargeError",
    "Value",
    "Verdict",
    "solution_of",
    "solve",
]
