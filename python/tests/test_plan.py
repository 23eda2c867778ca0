"""Plans of contacts: surroundings, goals, searches that end, motions that are carried out."""
import json
import pickle
import threading

import numpy as np
import pytest

import lissom
from lissom import control, plan

SCENES = lissom.models / "scenes"


@pytest.fixture(scope="module")
def standing():
    return lissom.load_standing_robot(str(lissom.models / "humanoid.urdf"))


def problem_of(standing, goal, scene=SCENES / "flat.json", **fields):
    _, contacts, stance = standing
    limbs = plan.limbs_of(contacts)
    return plan.PlanProblem(limbs=limbs, environment=plan.environment_of(scene), start=stance.q, standing=[limb.frame for limb in limbs if limb.foot],
                            goal=goal, **fields)


def test_surroundings():
    stairs = plan.environment_of(SCENES / "stairs.json")
    names = [surface.name for surface in stairs.surfaces]
    assert len(stairs.obstacles) >= 3 and any(name.endswith("/top") for name in names)
    top = next(surface for surface in stairs.surfaces if surface.name.endswith("/top"))
    assert top.polygon.corners.shape == (4, 3) and np.allclose(top.polygon.pose[:3, 2], [0, 0, 1]) and top.obstacle >= 0
    assert stairs.obstacles[top.obstacle].shape.kind == "box"
    by_hand = plan.Environment(surfaces=[plan.Surface("floor", plan.StancePolygon(np.eye(4), [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]))])
    assert by_hand.surfaces[0].name == "floor" and by_hand.obstacles == ()


def test_limbs_and_goals(standing, tmp_path):
    robot, contacts, _ = standing
    limbs = plan.limbs_of(contacts)
    assert [(limb.frame, limb.foot) for limb in limbs] == [
        ("left_foot_contact", True), ("right_foot_contact", True), ("left_hand_contact", False), ("right_hand_contact", False)]
    goal = plan.read_goal(robot, limbs, lissom.models / "goals/handstand.json")
    assert goal.base is None and goal.contacts == ("left_hand_contact", "right_hand_contact") and goal.posture.shape == (robot.nq,)
    assert set(goal.places) == set(goal.contacts) and goal.places["left_hand_contact"].shape == (4, 4)
    (tmp_path / "goal.json").write_text(json.dumps({"contacts": ["tail"]}))
    with pytest.raises(lissom.Error, match="no limb 'tail'; limbs: left_foot_contact"):
        plan.read_goal(robot, limbs, tmp_path / "goal.json")
    again = pickle.loads(pickle.dumps(goal))
    assert (again.posture == goal.posture).all() and again.contacts == goal.contacts


def test_a_plan_and_its_motion(standing, tmp_path):
    robot, _, stance = standing
    problem = problem_of(standing, plan.Goal(base=[0.25, 0, 0], tolerance=0.05))
    seen = []
    found = plan.find_plan(robot, problem, progress=lambda part, nodes, distance: seen.append((part, nodes, distance)))
    assert found and found.reached and found.what == "" and found.stances > 0 and "reached" in repr(found)
    changes = [step.change for step in found.steps]
    assert changes[0] == "start" and changes[-1] == "settle" and changes.count("touch") == changes.count("release") >= 2
    assert (found.steps[0].q == stance.q).all()
    end = [c.pose[:3, 3] for c in found.steps[-1].contacts]
    start = [c.pose[:3, 3] for c in found.steps[0].contacts]
    assert np.mean(end, axis=0)[0] - 0.25 == pytest.approx(0, abs=0.05 + abs(np.mean(start, axis=0)[0]))
    for step in found.steps:
        for contact in step.contacts:
            place = robot.placement(step.q, problem.limbs[contact.limb].frame)
            assert np.allclose(place[:3, 3], contact.pose[:3, 3], atol=1e-3)
    assert plan.find_plan(robot, problem_of(standing, problem.goal, threads=1)).steps[-1].q == pytest.approx(found.steps[-1].q, abs=0)
    plan.write_motion(robot, problem, found, tmp_path / "go.json")
    assert (tmp_path / "go.postures.json").is_file()
    motion = control.read_motion_plan(robot, tmp_path / "go.json")
    assert len(motion.stages) == len(found.steps) - 1
    assert not [finding for finding in control.check_motion(robot, motion, postures=False) if finding.wrong]


def test_searches_end(standing):
    robot = standing[0]
    far = problem_of(standing, plan.Goal(base=[9, 0, 0]), seconds=60)
    found = plan.find_plan(robot, far, progress=lambda part, nodes, distance: nodes < 3)
    assert not found and "it was ended" in found.what and found.steps[0].change == "start" and found.distance > 5
    timer = threading.Timer(0.2, __import__("_thread").interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        plan.find_plan(robot, far)
    timer.join()
    with pytest.raises(ZeroDivisionError):
        plan.find_plan(robot, far, progress=lambda *_: 1 / 0)
    with pytest.raises(TypeError, match="progress returned 3"):
        plan.find_plan(robot, far, progress=lambda *_: 3)


def test_wrong_problems(standing, tmp_path):
    robot = standing[0]
    with pytest.raises(lissom.Error, match="no base, contacts or posture"):
        plan.find_plan(robot, problem_of(standing, plan.Goal()))
    problem = problem_of(standing, plan.Goal(base=[1, 0, 0]))
    problem.start = [1.0, 2.0]
    with pytest.raises(lissom.Error, match="start has 2 elements, expected"):
        plan.find_plan(robot, problem)
    with pytest.raises(lissom.Error, match="no limb stands"):
        plan.find_plan(robot, plan.PlanProblem(limbs=plan.limbs_of(standing[1]), start=standing[2].q, goal=plan.Goal(base=[1, 0, 0])))
    with pytest.raises(lissom.Error):
        plan.environment_of(tmp_path / "none.json")
    with pytest.raises(TypeError, match="did you mean 'seconds'"):
        plan.PlanProblem(second=3)
