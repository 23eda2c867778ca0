"""A humanoid reaches for a point with its left hand: whole-body control, and inverse kinematics to see what to expect.

The hand, the gaze and the center of mass are tasks; the soles are contacts that must not move, tip or slip. The robot
moves as its controller's accelerations say (the torques that they need are checked against the motors' limits).

    python reach.py [--plot reach.png]
"""
import argparse
import sys

import numpy as np

import lissom
from lissom import control, ik

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--plot", metavar="FILE", help="draw a figure (needs matplotlib)")
arguments = parser.parse_args()

robot = lissom.load(str(lissom.models / "humanoid.urdf"), base="free")
q = robot.read_postures(str(lissom.models / "postures/humanoid.json"))["stand"]
v = np.zeros(robot.nv)
soles = ("left_sole", "right_sole")
begin = robot.placement(q, "left_palm")[:3, 3]
goal = begin + [0.25, 0.05, 0.35]

# Can it be reached at all, with both feet where they are and the center of mass above them?
middle = robot.center_of_mass(q)
targets = [ik.pose(sole, robot.placement(q, sole)) for sole in soles]
targets += [ik.position("left_palm", goal), ik.center_of_mass(middle, linear_weight=(1, 1, 0))]
posture = ik.solve(robot, targets, q)
print(f"inverse kinematics: {posture.status} after {posture.starts} start(s), {posture.iterations} iterations")

controller = control.WholeBody(robot)
com = controller.add(control.CenterOfMassTask(target=middle, stiffness=60, weight=100))
hand = controller.add(control.PointTask(frame="left_palm", target=begin, stiffness=60, weight=20))
gaze = controller.add(control.GazeTask(frame="head_camera", target=goal, stiffness=30, weight=1))
controller.add(control.PostureTask(target=q, stiffness=20, weight=0.02))
feet = [controller.add(lissom.Contact(sole, friction=0.7)) for sole in soles]

step, seconds = 1e-3, 3.0
limits = np.where(np.isfinite(robot.effort_limit) & (robot.effort_limit > 0), robot.effort_limit, np.inf)
times, distances, forces, uses = [], [], [], []
for i in range(int(seconds / step)):
    # The target of the hand moves smoothly (minimum jerk) for two seconds, then it stays.
    s = min(1.0, i * step / 2.0)
    controller[hand].target = begin + s**3 * (10 - 15 * s + 6 * s**2) * (goal - begin)
    tick = controller.solve(q, v)
    if tick.status != "optimal":
        sys.exit(f"t = {i * step:.3f} s: {tick.status} {tick.reason}\n{controller.explain()}")
    times.append(i * step)
    distances.append(np.linalg.norm(goal - robot.placement(q, "left_palm")[:3, 3]))
    forces.append([tick.contacts[foot].normal for foot in feet])
    uses.append(np.max(np.abs(tick.torques) / limits))
    v = v + step * tick.accelerations
    q = robot.integrate(q, v, step)

slipped = max(np.linalg.norm(robot.placement(q, s)[:3, 3] - t.pose[:3, 3]) for s, t in zip(soles, targets))
off = np.linalg.norm(robot.center_of_mass(q)[:2] - middle[:2])
print(f"hand: {1e3 * distances[0]:.0f} mm from the goal at first, {1e3 * distances[-1]:.1f} mm after {seconds:g} s")
print(f"center of mass {1e3 * off:.1f} mm off, soles moved by {1e3 * slipped:.3f} mm, motors used up to {100 * max(uses):.0f} %")
print(f"normal forces of the soles: {forces[0][0]:.0f} and {forces[0][1]:.0f} N, then {forces[-1][0]:.0f} and {forces[-1][1]:.0f} N")

if arguments.plot:
    try:
        import matplotlib
    except ImportError:
        sys.exit("--plot needs matplotlib: pip install matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (above, below) = plt.subplots(2, sharex=True, figsize=(7, 5), layout="constrained")
    above.plot(times, 1e3 * np.array(distances))
    above.set_ylabel("hand from goal (mm)")
    below.plot(times, forces, label=soles)
    below.set(xlabel="time (s)", ylabel="normal force (N)")
    below.legend()
    figure.savefig(arguments.plot, dpi=120)
    print(f"drawn: {arguments.plot}")

good = posture.status == "solved" and distances[-1] < 0.01 and off < 0.02 and slipped < 1e-3 and max(uses) <= 1 + 1e-9
sys.exit(0 if good else "the hand has not reached the goal as it should")
