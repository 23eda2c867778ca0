"""How recordings and reports show themselves in notebooks."""

import numpy as np
import pytest
from test_loading import Cells

import lissom
from lissom import control
from sweep_functions import square


def cells(thing):
    page = Cells()
    page.feed(thing._repr_html_())
    assert not page.open
    return page


def test_recordings(arm):
    run = lissom.simulate(arm, 0.01)
    page = cells(run)
    assert page.tags.count("tr") == 1 + len(run.signals) and {"q", "energy", "(11, 7)"} <= set(page.text)
    assert any(arm.joints[0].name in text for text in page.text)
    named = lissom.Recording(arm, [0.0], {"<b>": [[1.0]]}, columns={"<b>": {"<i>&": "N"}})
    page = cells(named)
    assert "i" not in page.tags and "<i>&" in "".join(page.text)


def test_reports(arm, humanoid):
    report = lissom.verify(arm, states=2)
    page = cells(report)
    assert page.tags.count("tr") == 1 + len(report.comparisons) and "mass matrix" in page.text
    report = control.run(humanoid, lissom.models / "motions/handstand.json", stop=lambda: True)
    text = "".join(cells(report).text)
    assert "failed" in text and "torque of left_knee" in text


def test_sweeps():
    result = lissom.sweep(square, [{"seed": x} for x in (1, 2, 3)], workers=0)
    page = cells(result)
    assert page.tags.count("tr") == 1 + len(result.table) and "3 cases" in page.text
    assert {"seed", "1", "2", "3", "9"} <= set(page.text)


def test_many_rows_are_cut():
    description = lissom.Description(name="chain")
    description.links.append(lissom.LinkDescription(name="link0"))
    for i in range(1, 121):
        description.links.append(lissom.LinkDescription(name=f"link{i}", mass=1, inertia=np.eye(3)))
        description.joints.append(lissom.JointDescription(name=f"joint{i}", type="continuous", parent=f"link{i - 1}", child=f"link{i}", axis=[0, 0, 1]))
    page = cells(lissom.build(description))
    assert page.tags.count("tr") == 102 and "… 20 more" in page.text
    with pytest.raises(AttributeError):
        lissom.World()._repr_html_()
