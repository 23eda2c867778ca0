"""Uses of the package that mypy --strict and pyright must accept (test_package.py runs them; it is never executed)."""

import pathlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

import lissom

robot: lissom.Model = lissom.load(pathlib.Path("robot.urdf"), base="free")
q: NDArray[np.float64] = robot.neutral()
tau: NDArray[Any] = robot.inverse_dynamics(q, [0.0] * robot.nv, np.zeros(robot.nv), external={"hand": np.zeros(6)})
M = robot.mass_matrix(np.zeros((10, robot.nq)), out=np.zeros((10, robot.nv, robot.nv)))
knee: lissom.Joint = robot.joint("knee")
index: int = knee.q_index
names: list[str] = [frame.name for frame in robot.frames]
everything: dict[str, NDArray[Any]] = robot.evaluate(["mass_matrix"], q)

derivatives: lissom.InverseDynamicsDerivatives = robot.inverse_dynamics_derivatives(q, tau, tau, external={"hand": np.zeros(6)})
dtau_dq, dtau_dv, mass = robot.inverse_dynamics_derivatives(q, tau, tau, out=derivatives)
by_name: NDArray[Any] = robot.forward_dynamics_derivatives(q, tau, tau).M_inverse
gradient: NDArray[Any] = robot.forward_dynamics_vjp(q, tau, tau, weights=tau).tau
change: NDArray[Any] = robot.inverse_dynamics_jvp(q, tau, tau, dq=tau, dv=tau, da=tau)
A, B = robot.linearize(q, tau, tau, dt=1e-3)
hessian: NDArray[Any] = robot.jacobian_derivatives(q, "hand")
elements: NDArray[Any] = lissom.gradients.to_elements(robot, q, gradient)

description = lissom.Description(name="pendulum")
description.links.append(lissom.LinkDescription(name="bob", mass=1.0, inertia=np.eye(3)))
description.joints.append(lissom.JointDescription(name="pivot", type="revolute", parent="ground", child="bob", axis=[0, 1, 0], damping=0.1))
built: lissom.Model = lissom.build(description, base="fixed")
try:
    lissom.load("nothing.urdf")
except lissom.Error as error:
    codes: list[str] = [finding.code for finding in error.diagnostics]

run = lissom.read_recording("run.mcap")
with lissom.view(robot, q=q, port=0, browser=False) as page:
    address: str = page.address
    port: int = page.port
    page.save(pathlib.Path("page.html"))
    cell: str = page.html(height=400)
overlaid: lissom.View = lissom.view({"one": run, "two": "two.mcap"}, rate=60)
lissom.view([run, pathlib.Path("two.mcap")]).wait(1.5)
replayed: lissom.View = run.view(rate=0, browser=False)
live: lissom.View = lissom.view(robot, live=True, signals=["v"])
live.show(q, 0.5, {"v": np.zeros(robot.nv)})
live.show(q)
live.close()

swing: lissom.sim.Run = lissom.simulate(robot, seconds=2, controller="pd", posture=q, pushes=[("hand", [0, 0, 5], 0.1, 0.2)], record=pathlib.Path("run.mcap"))
swing = lissom.simulate(robot, 2.0, controller=lambda t, q, v: -10 * v, forces=[lambda t, q, v: {"hand": np.zeros(6)}], state=swing.state())
start: lissom.sim.State = swing.state(0)
again: lissom.sim.Run = lissom.sim.run(lissom.sim.System(robot), start, lissom.sim.integrator("rk4"), seconds=1)
unexplained: float = swing.report.unexplained_energy
task = lissom.control.CustomTask(3, lambda snapshot, J, Jdot_v, desired: None, weight=2, name="mine")

study: lissom.sweep.SweepResult = lissom.sweep.sweep(lambda mass: mass, lissom.sweep.grid(mass=[1, 2]), engine="local")
cases = lissom.sweep.combine(lissom.sweep.grid(robot=["a.urdf"]), lissom.sweep.seeds(100, size={"uniform": [0, 100]}))
study = lissom.sweep.sweep(lambda robot, seed, size: {"height": size}, cases, checkpoint=pathlib.Path("fall"), progress=True)
heights_by_case: NDArray[Any] = study.table["height"]
problems: list[str] = [case.summary for case in study.failed]
study.save("fall.parquet")

world = lissom.World(gravity=[0, 0, -9.81])
world.add_ground()
world.add_body(lissom.RigidBody.homogeneous("box", lissom.Shape("box", size=[0.1, 0.1, 0.1]), 1.0, velocity=[1, 0, 0]))
world.add_robot("robot", robot, q, settings=lissom.RobotSettings(self_collision=False))
world.set_properties("box", "ground", friction=0.5)
residual: float = world.step(1e-3, 10).residual
forces: list[float] = [float(reading.force[2]) for reading in world.contacts()]
state = world.state()
world.restore(state)
height: float = float(state.q[0][2])
batch = lissom.WorldBatch(world, 10, threads=2)
stopped: list[tuple[int, str]] = batch.step(1e-3)
heights = batch.q("box")[:, 2] + batch[0].q("box")[2]

standing, contacts, stance = lissom.load_standing_robot("robot.urdf")
try:
    motion: lissom.control.MotionPlan = lissom.control.generate_motion(standing, contacts, stance.q, "squat")
except lissom.control.ImpossibleMotion as impossible:
    found_codes: list[str] = [finding.code for finding in impossible.diagnostics]
    raise
serious: list[str] = [finding.what for finding in lissom.control.check_motion(standing, motion) if finding.serious]
done: bool = lissom.control.run(standing, motion, sensing="encoders", mass_scale=1.1, record=pathlib.Path("run.mcap")).succeeded
walk = lissom.walking.run(standing, stance.q, contacts, gait="trot", steps=8, speed=0.3, pushes=[("trunk", [0, 60, 0], 1, 1.1)])
slips: list[float] = [foot.slip for foot in walk.feet]
limbs = lissom.plan.limbs_of(contacts)
problem = lissom.plan.PlanProblem(limbs=limbs, environment=lissom.plan.environment_of("scene.json"), start=stance.q, goal=lissom.plan.Goal(base=[2, 0, 0]))
reached: bool = lissom.plan.find_plan(standing, problem, progress=lambda part, nodes, distance: part < 0.5).reached
