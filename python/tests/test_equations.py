"""Equations in closed form."""
import numpy as np
import pytest

import lissom


@pytest.fixture(scope="module")
def arm():
    return lissom.load(str(lissom.models / "planar2.urdf"))


def test_text_is_the_textbooks(arm):
    e = arm.equations()
    assert [f.name for f in e.forms] == ["H", "C", "G"]
    assert e["H"][0, 0] == "7/2 + cos q2" and e["M"][1, -1] == "5/4"
    assert e["C"][0, 0] == "−q̇1 q̇2 sin q2 − ½ q̇2² sin q2"
    assert e["G"].shape == (2, 1) and "cos(q1 + q2)" in str(e)
    assert e._repr_latex_().startswith("\\begin{align*}") and r"\tfrac{7}{2}" in e.latex()


def test_values_are_those_of_the_algorithms(arm):
    e = arm.equations(only=["H", "C", "G", "p", "J"], frame="tip", symbols="all")
    rng = np.random.default_rng(1)
    for _ in range(5):
        q, v = rng.uniform(-3, 3, 2), rng.uniform(-2, 2, 2)
        np.testing.assert_allclose(e["H"](q), arm.mass_matrix(q), atol=1e-12)
        np.testing.assert_allclose((e["C"](q, v) + e["G"](q))[:, 0], arm.bias_forces(q, v), atol=1e-12)
        np.testing.assert_allclose(e["p"](q)[:, 0], arm.placement(q, "tip")[:3, 3], atol=1e-12)
        np.testing.assert_allclose(e["J"](q), arm.jacobian(q, "tip"), atol=1e-12)
    assert e["H"]([0, 0], m2=3.0)[1, 1] == pytest.approx(3 * 0.25 + 1)


def test_symbols_are_listed(arm):
    symbols = {s.name: s for s in arm.equations(only="G", symbols=["masses", "lengths"]).symbols}
    assert symbols["m2"].kind == "mass" and symbols["m2"].value == 1 and symbols["m2"].index is None
    assert symbols["q2"].kind == "coordinate" and symbols["q2"].index == 1 and symbols["q2"].value is None
    assert "I1" not in symbols


def test_wrong_use_is_named(arm):
    with pytest.raises(lissom.Error, match="did you mean 'masses'"):
        arm.equations(symbols="mases")
    with pytest.raises(lissom.Error, match="belongs to a frame"):
        arm.equations(only="J")
    with pytest.raises(lissom.Error, match="no parameter 'm1'"):
        arm.equations()["H"]([0, 0], m1=2.0)
    with pytest.raises(lissom.Error, match="terms"):
        lissom.load(str(lissom.models / "humanoid.urdf")).equations()
