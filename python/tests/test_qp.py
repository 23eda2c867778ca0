"""Quadratic programs: closed forms, and the conditions of Karush, Kuhn and Tucker."""
import pickle

import numpy as np
import pytest

import lissom
from lissom import qp


def test_documented_example():
    s = qp.solve(np.eye(2), [0, 0], A=[[1, 1]], b=[100], lx=0, ux=[30, np.inf])
    assert s.status == "optimal" and np.allclose(s.x, [30, 70]) and s.objective == pytest.approx((900 + 4900) / 2)
    s = qp.solve(np.eye(2), [0, 0], A=[[1, 1]], b=[100], lx=0, ux=[30, 50])
    assert s.describe(equalities=["weight"], variables=["left", "right"], equality_units=["N"], variable_units=["N", "N"]) == (
        "elastic\nequality 'weight': 10 N below\nvariable 'left': 5 N above its upper bound\nvariable 'right': 5 N above its upper bound")
    assert {c.part for c in s.conflicts} == {"equality", "bound"} and len(s.conflicts) == 3


def random_problem(seed, n=12, equalities=3, rows=10):
    r = np.random.default_rng(seed)
    L = r.normal(size=(n, n))
    C = r.normal(size=(rows, n))
    A = r.normal(size=(equalities, n))
    x = r.normal(size=n)
    return dict(H=L @ L.T + np.eye(n), g=5 * r.normal(size=n), A=A, b=A @ x, C=C, l=C @ x - r.uniform(size=rows),
                u=C @ x + r.uniform(size=rows), lx=x - 0.5, ux=x + 0.5)


@pytest.mark.parametrize("seed", range(5))
def test_optimality(seed):
    p = random_problem(seed)
    s = qp.solve(**p)
    assert s.status == "optimal"
    gradient = p["H"] @ s.x + p["g"] - p["A"].T @ s.equality_multipliers - p["C"].T @ s.row_multipliers - s.bound_multipliers
    assert np.abs(gradient).max() < 1e-8
    assert np.abs(p["A"] @ s.x - p["b"]).max() < 1e-8
    y = p["C"] @ s.x
    assert np.all(y >= p["l"] - 1e-6) and np.all(y <= p["u"] + 1e-6)
    z = s.row_multipliers
    assert np.all(z[y > p["l"] + 1e-5] <= 1e-8) and np.all(z[y < p["u"] - 1e-5] >= -1e-8)
    assert np.any(z != 0) or np.any(s.bound_multipliers != 0)


def test_warm_start_saves_iterations():
    p = random_problem(7)
    solver = qp.Solver()
    cold = solver.solve(**p)
    p["g"] = p["g"] + 1e-6
    warm = solver.solve(**p)
    assert warm.iterations < cold.iterations
    solver.forget()
    assert solver.solve(**p).iterations > warm.iterations
    assert np.allclose(warm.x, qp.solve(**p).x)
    assert np.allclose(cold.x, warm.x, atol=1e-4)  # cold has stayed as it was


def test_infeasible_problems_without_a_proof():
    contradiction = dict(H=np.eye(1), g=[0], C=[[1], [1]], l=[1, -np.inf], u=[np.inf, -1])
    proven, quick = (qp.solve(**contradiction, elastic=False, prove=prove) for prove in (True, False))
    assert proven.status == quick.status == "infeasible"
    assert proven.conflicts and not quick.conflicts


def test_solver_grows():
    solver = qp.Solver(variables=2)
    assert solver.solve(np.eye(2), [1, 1]).status == "optimal"
    assert np.allclose(solver.solve(np.eye(5), np.ones(5), C=np.ones((1, 5)), l=0).x, 0)


def test_soft_rows():
    s = qp.solve([[1.0]], [0.0], C=[[1.0]], l=[1.0], weight=3.0)  # min ½ x² + ½ 3 (1 - x)²
    assert s.x[0] == pytest.approx(0.75)


def test_sparse_matrices():
    sparse = pytest.importorskip("scipy.sparse")
    p = random_problem(3)
    dense = qp.solve(**p)
    p.update(H=sparse.csc_matrix(p["H"]), A=sparse.csr_matrix(p["A"]), C=sparse.coo_matrix(p["C"]))
    assert np.array_equal(qp.solve(**p).x, dense.x)


def test_statuses():
    assert qp.solve([[1.0]], [0.0], lx=1, ux=0, elastic=False).status == "infeasible"
    s = qp.solve([[-1.0]], [0.0])
    assert s.status == "invalid" and s.reason and s.reason in str(s)
    assert qp.solve([[np.nan]], [0.0]).status == "invalid"
    assert qp.solve(**random_problem(1), max_iterations=1).status == "limit"


def test_errors():
    H, g = np.eye(2), np.zeros(2)
    with pytest.raises(lissom.Error, match=r"H has shape \(3, 3\), expected \(2, 2\)"):
        qp.solve(np.eye(3), g)
    with pytest.raises(lissom.Error, match="b is None"):
        qp.solve(H, g, A=[[1, 1]])
    with pytest.raises(lissom.Error, match="l is given without C"):
        qp.solve(H, g, l=[1])
    with pytest.raises(lissom.Error, match="lx has shape"):
        qp.solve(H, g, lx=[1, 2, 3])
    with pytest.raises(TypeError, match="no field 'worm'"):
        qp.solve(H, g, worm=True)
    with pytest.raises(TypeError):
        qp.solve(H, ["a", "b"])
    assert qp.solve(H, g, blocks=[1, 5]).status == "invalid"


def test_solutions_are_pickled():
    s = qp.solve(np.eye(2), [0, 0], A=[[1, 1]], b=[100], lx=0, ux=[30, 50])
    t = pickle.loads(pickle.dumps(s))
    assert np.array_equal(s.x, t.x) and str(s) == str(t) and t.conflicts[0].index == s.conflicts[0].index
