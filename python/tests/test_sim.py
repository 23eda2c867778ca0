"""Simulation against closed forms, conservation laws, other solvers and the command; callbacks; wrong input."""
import copy
import gc
import json
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import threading
import time
import weakref

import numpy as np
import pytest

import lissom
from lissom import sim

MODELS = pathlib.Path(__file__).parents[2] / "models"


@pytest.fixture(scope="module")
def arm():
    return lissom.load(str(MODELS / "arm7.urdf"))


@pytest.fixture(scope="module")
def quadruped():
    return lissom.load(str(MODELS / "quadruped.urdf"), base="free")


def particle(mass=2.0, stiffness=0.0, damping=0.0):
    """A mass on a prismatic joint along x, with a spring and a damper."""
    d = lissom.Description(name="particle")
    d.links.append(lissom.LinkDescription("rail", mass=1, inertia=np.eye(3)))
    d.links.append(lissom.LinkDescription("mass", mass=mass, inertia=np.eye(3)))
    d.joints.append(lissom.JointDescription("slide", type="prismatic", parent="rail", child="mass", axis=[1, 0, 0], effort_limit=1e3, velocity_limit=1e3,
                                            spring_stiffness=stiffness, damping=damping))
    return lissom.build(d, base="fixed")


# ── Runs

def test_damped_oscillator_closed_form():
    m, k, d = 2.0, 50.0, 3.0
    run = lissom.simulate(particle(m, k, d), q=[0.1], seconds=1)
    s, w = d / (2 * m), np.sqrt(k / m - (d / (2 * m)) ** 2)
    t = run.times
    np.testing.assert_allclose(run["q", "slide"], 0.1 * np.exp(-s * t) * (np.cos(w * t) + s / w * np.sin(w * t)), atol=1e-10)
    assert run.report.integrator == "rk4" and run.report.steps == 1000 and len(run) == 1001
    assert abs(run.report.unexplained_energy) < 1e-9 and run.report.work.damping < 0


def test_push_gives_its_impulse():
    run = lissom.simulate(particle(), seconds=1, pushes=[("mass", [6, 0, 0], 0.2, 0.7)])
    assert run["v"][-1, 0] == pytest.approx(6 * 0.5 / 2, abs=0.01)
    assert run["pushes", "mass.x"].max() == 6 and run["pushes", "mass.x"][0] == 0
    same = lissom.simulate(particle(), seconds=1, pushes=[sim.Push("mass", force=[6, 0, 0], from_=0.2, until=0.7)])
    assert (same["v"] == run["v"]).all() and (sim.push_at("mass", [6, 0, 0], 0.2, 0.7).force == [6, 0, 0]).all()
    law = lissom.simulate(particle(), seconds=1, forces=[lambda t, q, v: {"mass": [6 * (0.2 <= t < 0.7), 0, 0, 0, 0, 0]}])
    assert (law["v"] == run["v"]).all() and law.report.work.forces == pytest.approx(run.report.work.pushes)


def test_free_robot_conserves_momentum_and_energy(quadruped):
    v = np.random.default_rng(1).normal(size=quadruped.nv)
    run = lissom.simulate(quadruped, 0.2, q=quadruped.random_configuration(3), v=v, gravity=[0, 0, 0], passive_forces=False)
    np.testing.assert_allclose(run["momentum"], np.tile(run["momentum"][0], (len(run), 1)), atol=1e-6)
    assert np.ptp(run["energy", "total"]) < 1e-6
    np.testing.assert_allclose(run.report.momentum_before, run["momentum"][0])
    q, v = run["q"][-1], run["v"][-1]
    assert run["energy", "kinetic"][-1] == pytest.approx(quadruped.kinetic_energy(q, v))


@pytest.mark.parametrize("name", [info.name for info in sim.integrators()])
def test_every_integrator_converges_with_its_order(arm, name):
    errors = []
    q, v = arm.random_configuration(2), np.linspace(-1, 1, 7)
    reference = lissom.simulate(arm, 0.1, q=q, v=v, step=5e-4, integrator="rk4", every=1000)["q"][-1]
    for step in (4e-3, 2e-3):
        state, system, method = sim.State(q, v), sim.System(arm), sim.integrator(name)
        for _ in range(round(0.1 / step)):
            method.step(system, state, step)
        errors.append(np.abs(state.q - reference).max())
    order = method.info.order
    if order < 3:
        assert np.log2(errors[0] / errors[1]) > order - 0.3
    assert errors[1] < {1: 1e-2, 2: 1e-4, 4: 1e-7, 5: 1e-7}[order]


def test_steps_are_those_of_a_run(arm):
    q, v = arm.random_configuration(5), np.ones(7)
    run = lissom.simulate(arm, 0.05, q=q, v=v, controller="gravity")
    system, state, rk4 = sim.System(arm, controller=sim.gravity_compensation(arm)), sim.State(q, v), sim.integrator("rk4")
    for k in range(50):
        rk4.step(system, state, 1e-3)
        assert (state.q == run["q"][k + 1]).all()
    assert rk4.evaluations == 4 and state.t == pytest.approx(0.05)


def test_going_on_from_a_state_takes_the_same_bits(quadruped):
    options = dict(random=1, integrator="dopri5", step=1e-2)
    whole = lissom.simulate(quadruped, 0.2, **options)
    half = lissom.simulate(quadruped, 0.1, **options)
    rest = lissom.simulate(quadruped, 0.1, state=half.state(), integrator="dopri5", step=1e-2)
    np.testing.assert_array_equal(rest["q"][-1], whole["q"][-1])
    assert half.state(-1).next_step > 0 and (half.state(3).q == half["q"][3]).all()


def test_derivative_with_another_solver(arm):
    integrate = pytest.importorskip("scipy.integrate")
    q, v = arm.random_configuration(4), np.linspace(1, -1, 7)
    system = sim.System(arm)
    solution = integrate.solve_ivp(system.derivative, (0, 0.3), np.concatenate([q, v]), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(solution.y[:7, -1], lissom.simulate(arm, 0.3, q=q, v=v)["q"][-1], atol=1e-7)


def test_reaches_the_posture_on_the_reference(arm):
    goal = arm.neutral()
    goal[1] += 0.5
    run = lissom.simulate(arm, 2, controller="computed_torque", posture=goal, move_seconds=1)
    np.testing.assert_allclose(run["q"][-1], goal, atol=1e-8)
    np.testing.assert_allclose(run["desired_q"][500], 0.5 * (goal + arm.neutral()), atol=1e-12)  # minimum jerk is symmetric
    assert np.abs(run["q"] - run["desired_q"]).max() < 1e-4
    path = sim.reach(arm, arm.neutral(), goal, 1.0)
    np.testing.assert_allclose(path(0.5, arm)[0], run["desired_q"][500], atol=1e-12)


def test_fitting_integrator_and_warnings(arm):
    assert lissom.simulate(arm, 0.01, controller="pd").report.integrator == "implicit_joints"
    with pytest.warns(RuntimeWarning, match="rk4 with a step of 0.001 s is not stable"):
        run = lissom.simulate(arm, 0.1, controller="pd", integrator="rk4")
    assert "not stable" in run.report.warnings[0] and "warning:" in repr(run.report)
    system = sim.System(arm, controller=sim.pd(arm, arm.neutral()))
    state = sim.State(arm.neutral(), np.zeros(7))
    assert "not stable" in sim.instability(system, state, 1e-3, "rk4") and sim.instability(system, state, 1e-3, "implicit_joints") == ""
    assert sim.stiffness_of(system, state, 1e-3).damped_joint.startswith("joint")
    assert sim.fitting_integrator(system, state, 1e-3).name == "implicit_joints" and system.has_motor_gains


@pytest.mark.skipif(shutil.which("lissom") is None, reason="needs the command")
@pytest.mark.parametrize("options, arguments", [
    ({"controller": "pd", "move_seconds": 0.1}, ["--controller", "pd", "--move-seconds", "0.1"]),
    ({"random": 3, "integrator": "variational"}, ["--random", "3", "--integrator", "variational"]),
    ({"random": 4, "integrator": "dopri5", "step": 0.05, "tolerance": 1e-4}, ["--random", "4", "--integrator", "dopri5", "--step", "0.05", "--tolerance", "1e-4"]),
    ({"controller": "computed_torque", "pushes": [("tool", [0, 20, 0], 0.05, 0.1)]}, ["--controller", "computed_torque", "--push", "0,20,0@tool@0.05:0.1"])])
def test_takes_the_same_bits_as_the_command(arm, tmp_path, options, arguments):
    posture = {"posture": arm.neutral() + 0.1} if "controller" in options else {}
    text = ["--posture", ",".join(repr(x) for x in (arm.neutral() + 0.1).tolist())] if posture else []
    file = tmp_path / "run.npz"
    out = subprocess.run(["lissom", "sim", MODELS / "arm7.urdf", "--seconds", "0.2", "--json", "--quiet", "--record", file, *arguments, *text], capture_output=True, check=True)
    run = lissom.simulate(arm, 0.2, **options, **posture)
    report = json.loads(out.stdout)
    np.testing.assert_array_equal(run["q"][-1], report["q"])
    assert run.report.energy_after == report["energy"]["after"] and run.report.work.motors == report["work"]["motors"]
    assert all(getattr(run.report.work, name) == joules for name, joules in report["work"].items())
    assert run["work"][-1][-1] == run.report.unexplained_energy == report["energy"]["unexplained"]
    comparison = lissom.recording.compare(run, file, tolerance=0)
    assert comparison.alike, comparison


def test_records_while_it_runs(arm, tmp_path):
    run = lissom.simulate(arm, 0.1, every=10, record=tmp_path / "run.mcap", record_frames=["tool"])
    assert len(run) == 11 and lissom.recording.compare(run, tmp_path / "run.mcap", tolerance=0)
    np.testing.assert_allclose(run["frames"][-1], arm.placement(run["q"][-1], "tool")[:3, 3])


# ── Controllers of Python

def test_python_controller_is_the_built_in_one(arm):
    goal = arm.neutral() + 0.3

    class PD:
        def torques(self, t, q, v):
            return 100 * (goal - q) - 10 * v + arm.gravity_forces(q)

        def gains(self):
            return np.full(7, 100.0), np.full(7, 10.0)

    options = dict(seconds=0.2, q=arm.neutral())
    own = lissom.simulate(arm, controller=PD(), **options)
    built_in = lissom.simulate(arm, controller="pd", posture=goal, **options)
    assert own.report.integrator == "implicit_joints" and own.settings["controller"] == "PD"
    np.testing.assert_allclose(own["q"], built_in["q"], atol=1e-12)
    tau = sim.pd(arm, lambda t: (goal, np.zeros(7)), gravity_compensation=True).torques(arm, 0, arm.neutral(), np.ones(7))
    np.testing.assert_allclose(tau, PD().torques(0, arm.neutral(), np.ones(7)))


def test_controller_gets_copies_that_it_may_keep(arm):
    kept = []
    lissom.simulate(arm, 0.01, controller=lambda t, q, v: kept.append((t, q, v)) or np.zeros(7), integrator="explicit_euler", random=1, v=np.ones(7))
    times = np.array([t for t, _, _ in kept])
    assert times.min() == 0 and times.max() == pytest.approx(0.01) and len({q.tobytes() for _, q, _ in kept}) == 11


def test_exceptions_of_callbacks_come_out_unchanged(arm):
    error = LookupError("mine")

    def fails(*_):
        raise error

    for options in (dict(controller=fails), dict(forces=[fails]), dict(stop=fails), dict(progress=fails, seconds=0.2),
                    dict(controller=sim.pd(arm, fails))):
        with pytest.raises(LookupError) as caught:
            lissom.simulate(arm, **{"seconds": 0.1, **options})
        assert caught.value is error
    system, state = sim.System(arm, controller=fails), sim.State(arm.neutral(), np.ones(7))
    with pytest.raises(LookupError):
        sim.integrator("rk4").step(system, state, 1e-3)
    assert (state.v == 1).all() and state.t == 0


@pytest.mark.parametrize("result, kind, text", [
    (None, TypeError, "returned None"), (np.zeros(6), lissom.Error, r"\(6,\), expected \(7,\)"), ("torque", TypeError, "real numbers"),
    (np.full(7, np.nan), lissom.Error, "finite"), ([[0] * 7], lissom.Error, "shape")])
def test_controllers_that_return_nonsense(arm, result, kind, text):
    with pytest.raises(kind, match=text):
        lissom.simulate(arm, 0.01, controller=lambda t, q, v: result)


def test_failed_run_has_its_frames(arm):
    def late(t, q, v):
        return np.zeros(7) if t < 0.05 else np.full(7, np.inf)

    with pytest.raises(lissom.Error, match="finite") as caught:
        lissom.simulate(arm, 0.1, controller=late, integrator="explicit_euler")
    run = caught.value.run
    assert len(run) == 50 and run.report.steps in (49, 50) and (run["tau"] == 0).all()


def test_stop_and_progress(arm):
    count, seen = [0], []

    def stop():
        count[0] += 1
        return count[0] == 7

    run = lissom.simulate(arm, 1, stop=stop)
    assert run.report.stopped and run.report.steps == 7 and len(run) == 8
    lissom.simulate(arm, 0.3, progress=lambda done, state: seen.append((done, state.t)))
    assert seen[-1] == (1, pytest.approx(0.3)) and all(0 < done <= 1 for done, _ in seen)


def test_interrupt_ends_a_run():
    robot = lissom.load(str(MODELS / "humanoid.urdf"), base="free")
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        lissom.simulate(robot, 1e4, every=10**6)
    assert time.monotonic() - begin < 60  # the whole run takes longer


def test_a_system_belongs_to_one_caller(arm):
    system, state = None, sim.State(arm.neutral(), np.zeros(7))
    system = sim.System(arm, controller=lambda t, q, v: system.acceleration(t, q, v))
    with pytest.raises(lissom.Error, match="in use"):
        sim.integrator("rk4").step(system, state, 1e-3)
    system.control(None)  # breaks the cycle
    sim.integrator("rk4").step(system, state, 1e-3)


def test_threads_run_their_own_simulations(arm):
    shared = sim.computed_torque(arm, arm.neutral())  # one controller for all
    results = {}

    def work(seed):
        results[seed] = lissom.simulate(arm, 0.1, random=seed, controller=shared)["q"][-1]

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(4):
        assert (results[seed] == lissom.simulate(arm, 0.1, random=seed, controller=shared)["q"][-1]).all()


# ── Systems and states

def test_system_forces(arm):
    q, v = arm.random_configuration(1), np.ones(7)
    system = sim.System(arm, controller=lambda t, q, v: np.full(7, 1e6))
    applied = system.evaluate(0, q, v)
    assert applied.at_limit == [True] * 7 and (applied.commanded == 1e6).all()
    np.testing.assert_allclose(applied.motors, arm.effort_limit)
    np.testing.assert_allclose(system.acceleration(0, q, v), arm.forward_dynamics(q, v, applied.tau), rtol=1e-9)
    assert applied.power.motors == pytest.approx(applied.motors @ v)
    assert system.kinetic_energy(q, v) == pytest.approx(arm.kinetic_energy(q, v)) and system.max_torque(0) == arm.effort_limit[0]
    assert lissom.simulate(arm, 0.01, controller=lambda t, q, v: np.full(7, 1e6)).report.saturated[0].fraction == 1


def test_state_is_changed_in_place_and_copied(arm):
    state = sim.State(arm.neutral(), np.zeros(7), t=1)
    q = state.q
    state.q[2] = 0.25
    state.v = np.arange(7)
    assert q[2] == 0.25 and state.v[3] == 3
    for other in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        other.q[2] = 9
        assert state.q[2] == 0.25 and other.t == 1
    with pytest.raises(lissom.Error, match="expected 7"):
        state.q = np.zeros(8)
    sim.integrator("rk4").step(sim.System(arm), state, 1e-3)
    assert np.shares_memory(q, state.q) and q[2] == state.q[2] != 0.25


def test_views_keep_a_run_alive(arm):
    q = lissom.simulate(arm, 0.1)["q"]
    before = q.copy()
    gc.collect()
    garbage = [lissom.simulate(arm, 0.1, random=k) for k in range(3)]
    assert (q == before).all() and len(garbage) == 3


def test_functions_are_released(arm):
    class Controller:
        def __call__(self, t, q, v):
            return np.zeros(7)

    controller = Controller()
    reference = weakref.ref(controller)
    lissom.simulate(arm, 0.01, controller=controller)
    system = sim.System(arm, controller=controller)
    del controller
    gc.collect()
    assert reference() is not None
    del system
    gc.collect()
    assert reference() is None


def test_cycles_through_systems_are_collected(arm):
    class Loop:
        def __call__(self, t, q, v):
            return np.zeros(7)

    references = []
    for use in (lambda loop: sim.System(arm, controller=loop), lambda loop: sim.System(arm, controller=sim.pd(arm, loop)),
                lambda loop: (lambda s: s.add(loop) or s)(sim.System(arm))):
        loop = Loop()
        loop.system = use(loop)
        references.append(weakref.ref(loop))
    del loop
    gc.collect()
    assert [r() for r in references] == [None] * 3


@pytest.mark.parametrize("options, kind, text", [
    (dict(controller="pdd"), lissom.Error, "pdd"), (dict(controller=3), TypeError, "function of"), (dict(integrator="rk5"), lissom.Error, "no integrator 'rk5'"),
    (dict(seconds=-1), lissom.Error, "seconds"), (dict(seconds=np.nan), lissom.Error, "seconds"), (dict(step=0), lissom.Error, "step"),
    (dict(every=0), lissom.Error, "every"), (dict(q=np.zeros(6)), lissom.Error, r"q .*7"), (dict(v=np.full(7, np.nan)), lissom.Error, "v"),
    (dict(q=[None] * 7), TypeError, "q"), (dict(posture=np.zeros(7)), lissom.Error, "posture"), (dict(pushes=[("tol", [1, 0, 0])]), lissom.Error, "tool"),
    (dict(pushes=[("tool", [1, 0])]), lissom.Error, "force"), (dict(pushes=[("tool", [1, 0, 0], 2, 1)]), lissom.Error, "from before until"),
    (dict(pushes=["tool"]), TypeError, "force is a str"), (dict(record="x.dat"), lissom.Error, "mcap"), (dict(stop=3), TypeError, "stop"),
    (dict(progress=3), TypeError, "progress"), (dict(record_frames=["nose"]), lissom.Error, "nose"), (dict(tolerance=0, integrator="dopri5"), lissom.Error, "tolerance"),
    (dict(attitude="euler", integrator="rk4"), lissom.Error, "euler"), (dict(seconds=1e6, step=1e-6), lissom.Error, "max_size"),
    (dict(controller="pd", stiffness=-1), lissom.Error, "stiffness"), (dict(controller=lissom.Model), TypeError, "controller"), (dict(nonsense=1), TypeError, "nonsense"),
    (dict(forces=[lambda t, q, v: None]), TypeError, "force law"), (dict(q=np.zeros(7), random=1), lissom.Error, "either")])
def test_wrong_input(arm, options, kind, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=text):
        lissom.simulate(arm, **{"seconds": 0.01, **options})
    assert not list(tmp_path.iterdir())


def test_controller_of_another_robot(arm, quadruped):
    with pytest.raises(lissom.Error, match="made for"):
        lissom.simulate(arm, 0.1, controller=sim.pd(quadruped, quadruped.neutral()))
    with pytest.raises(lissom.Error, match="expected 7"):
        sim.integrator("rk4").step(sim.System(arm), sim.State(quadruped.neutral(), np.zeros(quadruped.nv)), 1e-3)
    rk4 = sim.integrator("rk4")  # fits any robot
    for robot in (arm, quadruped):
        rk4.step(sim.System(robot), sim.State(robot.neutral(), np.zeros(robot.nv)), 1e-3)


def test_robot_without_degrees_of_freedom():
    d = lissom.Description(name="rock")
    d.links.append(lissom.LinkDescription("rock", mass=1, inertia=np.eye(3)))
    run = lissom.simulate(lissom.build(d, base="fixed"), 0.01)
    assert run["q"].shape == (11, 0) and run.report.steps == 10
