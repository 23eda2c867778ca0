"""Quadratic programs."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy
import numpy.typing
from numpy.typing import ArrayLike, NDArray


class Options:
    """Options of a solve. Functions also take them as keyword arguments."""

    def __init__(self, warm: bool = ..., elastic: bool = ..., prove: bool = ..., max_iterations: int = ..., stationarity_tolerance: float = ..., equality_tolerance: float = ..., row_tolerance: float = ...) -> None: ...

    @property
    def warm(self) -> bool:
        """
        Start from the rows active in the last optimal solution, if the sizes are the same.
        """

    @warm.setter
    def warm(self, value: bool, /) -> None: ...

    @property
    def elastic(self) -> bool:
        """
        Solve the smallest relaxation of infeasible problems; otherwise only report them.
        """

    @elastic.setter
    def elastic(self, value: bool, /) -> None: ...

    @property
    def prove(self) -> bool:
        """
        False: problems that the search finds infeasible are reported at once, without the proof and without x of the smallest violation.
        """

    @prove.setter
    def prove(self, value: bool, /) -> None: ...

    @property
    def max_iterations(self) -> int:
        """
        Of the whole solve; 0: ten times the number of rows and variables, plus 100.
        """

    @max_iterations.setter
    def max_iterations(self, value: int, /) -> None: ...

    @property
    def stationarity_tolerance(self) -> float:
        """Relative."""

    @stationarity_tolerance.setter
    def stationarity_tolerance(self, value: float, /) -> None: ...

    @property
    def equality_tolerance(self) -> float:
        """Relative to the norm of the row if that is more than 1."""

    @equality_tolerance.setter
    def equality_tolerance(self, value: float, /) -> None: ...

    @property
    def row_tolerance(self) -> float:
        """Relative to the norm of the row if that is more than 1."""

    @row_tolerance.setter
    def row_tolerance(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Conflict:
    """A violated constraint."""

    def __init__(self, part: Literal['equality', 'row', 'bound'] = ..., index: int = ..., amount: float = ...) -> None: ...

    @property
    def part(self) -> str:
        """A row of A x = b, a row of l ≤ C x ≤ u, or the bounds of a variable."""

    @part.setter
    def part(self, value: Literal['equality', 'row', 'bound'], /) -> None: ...

    @property
    def index(self) -> int: ...

    @index.setter
    def index(self, value: int, /) -> None: ...

    @property
    def amount(self) -> float:
        """
        A x - b, or how far C x or x is above (+) its upper or below (-) its lower bound.
        """

    @amount.setter
    def amount(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Names:
    """
    Names and units of rows and variables, for describe(). Those without a name are numbered.
    """

    def __init__(self, equalities: Sequence[str] = ..., rows: Sequence[str] = ..., variables: Sequence[str] = ..., equality_units: Sequence[str] = ..., row_units: Sequence[str] = ..., variable_units: Sequence[str] = ...) -> None: ...

    @property
    def equalities(self) -> list[str]: ...

    @equalities.setter
    def equalities(self, value: Sequence[str], /) -> None: ...

    @property
    def rows(self) -> list[str]: ...

    @rows.setter
    def rows(self, value: Sequence[str], /) -> None: ...

    @property
    def variables(self) -> list[str]: ...

    @variables.setter
    def variables(self, value: Sequence[str], /) -> None: ...

    @property
    def equality_units(self) -> list[str]: ...

    @equality_units.setter
    def equality_units(self, value: Sequence[str], /) -> None: ...

    @property
    def row_units(self) -> list[str]: ...

    @row_units.setter
    def row_units(self, value: Sequence[str], /) -> None: ...

    @property
    def variable_units(self) -> list[str]: ...

    @variable_units.setter
    def variable_units(self, value: Sequence[str], /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

class Solution:
    """
    The solution of a problem. The multipliers balance the gradient: H x + g = Aᵀ y + Cᵀ z + zx; z is positive or 0 where a row is at its lower bound, negative or 0 at its upper bound.
    """

    def __init__(self, status: Literal['optimal', 'elastic', 'infeasible', 'limit', 'invalid'] = ..., reason: str = ..., x: ArrayLike = ..., objective: float = ..., equality_multipliers: ArrayLike = ..., row_multipliers: ArrayLike = ..., bound_multipliers: ArrayLike = ..., conflicts: Sequence[Conflict] = ..., iterations: int = ..., redone: bool = ..., stationarity: float = ..., equality_error: float = ..., row_error: float = ...) -> None: ...

    @property
    def status(self) -> str:
        """
        'optimal'; 'elastic': infeasible, x has the smallest violation and the minimal objective with it; 'infeasible': the same with elastic=False; 'limit' and 'invalid': see reason.
        """

    @status.setter
    def status(self, value: Literal['optimal', 'elastic', 'infeasible', 'limit', 'invalid'], /) -> None: ...

    @property
    def reason(self) -> str:
        """Of 'limit' and 'invalid'."""

    @reason.setter
    def reason(self, value: str, /) -> None: ...

    @property
    def x(self) -> numpy.typing.NDArray[numpy.float64]:
        """(variables,)"""

    @x.setter
    def x(self, value: ArrayLike, /) -> None: ...

    @property
    def objective(self) -> float:
        """½ xᵀ H x + gᵀ x, without the cost of soft rows."""

    @objective.setter
    def objective(self, value: float, /) -> None: ...

    @property
    def equality_multipliers(self) -> numpy.typing.NDArray[numpy.float64]:
        """y"""

    @equality_multipliers.setter
    def equality_multipliers(self, value: ArrayLike, /) -> None: ...

    @property
    def row_multipliers(self) -> numpy.typing.NDArray[numpy.float64]:
        """z"""

    @row_multipliers.setter
    def row_multipliers(self, value: ArrayLike, /) -> None: ...

    @property
    def bound_multipliers(self) -> numpy.typing.NDArray[numpy.float64]:
        """zx"""

    @bound_multipliers.setter
    def bound_multipliers(self, value: ArrayLike, /) -> None: ...

    @property
    def conflicts(self) -> list[Conflict]:
        """The violated rows, the largest violation first."""

    @conflicts.setter
    def conflicts(self, value: Sequence[Conflict], /) -> None: ...

    @property
    def iterations(self) -> int:
        """Rows added to or removed from the active set."""

    @iterations.setter
    def iterations(self, value: int, /) -> None: ...

    @property
    def redone(self) -> bool:
        """A first solution was not accurate enough; this is a second one."""

    @redone.setter
    def redone(self, value: bool, /) -> None: ...

    @property
    def stationarity(self) -> float:
        """
        Largest element of H x + g - Aᵀ y - Cᵀ z - zx relative to the largest of its terms.
        """

    @stationarity.setter
    def stationarity(self, value: float, /) -> None: ...

    @property
    def equality_error(self) -> float:
        """Largest |A x - b|."""

    @equality_error.setter
    def equality_error(self, value: float, /) -> None: ...

    @property
    def row_error(self) -> float:
        """Largest distance of a hard row, or of x, from its bounds."""

    @row_error.setter
    def row_error(self, value: float, /) -> None: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> tuple[Any, ...]: ...

    def __setstate__(self, arg: tuple[Any, ...], /) -> None: ...

    def describe(self, names: Names | None = None, **fields: Any) -> str:
        """
        Status, reason, and a line for each conflict: "row 'torque left_knee': 3.2 N m above its upper bound". Names are a Names, or its fields by name.
        """

    def __str__(self) -> str: ...

unbounded: float = 1e+20

class Solver:
    """
    Solves problems that resemble each other: each solve starts from the rows that were active in the last solution. Memory is for problems up to the given sizes, and grows.
    """

    def __init__(self, variables: int = 0, equalities: int = 0, rows: int = 0) -> None: ...

    def solve(self, H: Any, g: ArrayLike, A: Any = None, b: ArrayLike | None = None, C: Any = None, l: float | ArrayLike | None = None, u: float | ArrayLike | None = None, lx: float | ArrayLike | None = None, ux: float | ArrayLike | None = None, weight: float | ArrayLike | None = None, blocks: Sequence[int] | None = None, options: Options | None = None, **fields: Any) -> Solution:
        """
        Minimizes ½ xᵀ H x + gᵀ x subject to A x = b, l ≤ C x ≤ u, lx ≤ x ≤ ux.

        H, A, C: matrices (n, n), (·, n), (·, n), H symmetric and positive semidefinite; arrays, or sparse matrices of SciPy, which are made dense. Bounds are vectors, numbers (for all elements), or None (no bound); those of magnitude 1e20 or more count as infinite. weight: a weight w > 0 makes a row of C soft: violating it by s costs ½ w s². blocks: sizes of the diagonal blocks of H; None: they are detected. Options (warm, elastic, max_iterations, …) are keyword arguments, or an Options. An infeasible problem raises nothing: see status.
        """

    def forget(self) -> None:
        """Discards the warm start: the next problem is solved from a cold start."""

def solve(H: Any, g: ArrayLike, A: Any = None, b: ArrayLike | None = None, C: Any = None, l: float | ArrayLike | None = None, u: float | ArrayLike | None = None, lx: float | ArrayLike | None = None, ux: float | ArrayLike | None = None, weight: float | ArrayLike | None = None, blocks: Sequence[int] | None = None, options: Options | None = None, **fields: Any) -> Solution:
    """
    Minimizes ½ xᵀ H x + gᵀ x subject to A x = b, l ≤ C x ≤ u, lx ≤ x ≤ ux.

    H, A, C: matrices (n, n), (·, n), (·, n), H symmetric and positive semidefinite; arrays, or sparse matrices of SciPy, which are made dense. Bounds are vectors, numbers (for all elements), or None (no bound); those of magnitude 1e20 or more count as infinite. weight: a weight w > 0 makes a row of C soft: violating it by s costs ½ w s². blocks: sizes of the diagonal blocks of H; None: they are detected. Options (warm, elastic, max_iterations, …) are keyword arguments, or an Options. An infeasible problem raises nothing: see status.
    """
