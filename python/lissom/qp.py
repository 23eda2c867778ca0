"""Quadratic programs: minimize ½ xᵀ H x + gᵀ x subject to A x = b, l ≤ C x ≤ u, lx ≤ x ≤ ux.

    solution = lissom.qp.solve(H, g, A=[[1, 1]], b=[100], lx=0, ux=[30, np.inf])

A `Solver` starts from its last solution, for problems that resemble each other. Infeasible problems are relaxed by as
little as possible: `solution.conflicts` has the rows that cannot be met, `solution.describe(…)` the same as text.
"""
from ._core.qp import *  # noqa: F401,F403
