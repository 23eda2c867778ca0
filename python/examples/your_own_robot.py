"""Somebody's robot, from its file alone: it stands, squats if it can, walks, is pushed, and walks on.

    python your_own_robot.py [ROBOT.urdf] [--push 60] [--record walk.mcap] [--plot walk.png]

Feet, gains, steps and times follow from the file. Without one, the humanoid that comes with lissom walks.
"""
import argparse
import sys

import numpy as np

import lissom
from lissom import control, walking

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("robot", nargs="?", default=str(lissom.models / "humanoid.urdf"), help="a robot file; it stands on two or four feet")
parser.add_argument("--steps", type=int, default=6)
parser.add_argument("--push", type=float, default=60, help="N, sideways at the base, for 0.1 s in the middle of the walk")
parser.add_argument("--record", metavar="FILE", help="a recording of the walk: .mcap, .npz or .csv; `lissom view FILE` shows it")
parser.add_argument("--plot", metavar="FILE", help="draw a figure (needs matplotlib)")
arguments = parser.parse_args()

# Where it touches, and how it stands.
robot, contacts, stance = lissom.load_standing_robot(arguments.robot)
feet = [contact.name for contact in contacts.limbs if contact.role == "foot"]
print(f"{robot.name}: {robot.nv} degrees of freedom, {lissom.weight(robot) / 9.81:.1f} kg, stands on {', '.join(feet)}")
print(f"its center of mass may move by {1e3 * stance.balance_margin:.0f} mm; {stance.max_torque_joint} needs {100 * stance.max_torque_use:.0f} % of its torque")

# Motions are made for it, and checked before they run.
for name in ("stand", "squat"):
    try:
        plan = control.generate_motion(robot, contacts, stance.q, name)
    except control.ImpossibleMotion as error:
        print(f"{name}: {error}")
        continue
    serious = [finding for finding in control.check_motion(robot, plan) if finding.serious]
    if serious:
        print(f"{name}: not run, because {serious[0].what}")
        continue
    report = control.run(robot, plan)
    print(f"{name}: {'succeeded' if report.succeeded else report.failure}; center of mass within {1e3 * report.max_com_error:.0f} mm of its target")

# It walks, and is pushed.
times, dcm, desired, loads = [], [], [], []


def observe(reading):
    """Keeps every tenth tick."""
    if times and reading.time < times[-1] + 0.01 - 1e-9:
        return
    times.append(reading.time)
    dcm.append(reading.dcm)
    desired.append(reading.desired_dcm)
    loads.append(reading.normals)


walker = walking.Walker(robot, stance.q, contacts, steps=arguments.steps)
begin = 0.5 * arguments.steps * walker.step_time
push = (robot.joints[0].child, [0, arguments.push, 0], begin, begin + 0.1)
report = walking.run(robot, stance.q, contacts, steps=arguments.steps, pushes=[push], observer=observe, record=arguments.record)
print(f"walk: {'succeeded' if report.succeeded else report.failure}; {report.steps} steps of {report.step_length:.2f} m and {report.step_time:.2f} s, "
      f"{report.distance:.2f} m in {report.seconds:.1f} s; {report.adapted_steps} steps adapted, {report.capture_steps} more to recover")
for remark in report.remarks:
    print(f"note: {remark}")

if arguments.plot:
    try:
        import matplotlib
    except ImportError:
        sys.exit("--plot needs matplotlib: pip install matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (above, below) = plt.subplots(2, sharex=True, figsize=(8, 5), layout="constrained")
    above.plot(times, np.array(dcm), label=("forward", "sideways"))
    above.plot(times, np.array(desired), "k:", linewidth=1)
    above.axvspan(begin, begin + 0.1, color="0.85")
    above.set_ylabel("divergent component\nof motion (m)")
    above.legend()
    below.plot(times, np.array(loads), label=feet)
    below.set(xlabel="time (s)", ylabel="normal force (N)")
    below.legend()
    figure.savefig(arguments.plot, dpi=120)
    print(f"drawn: {arguments.plot}")

sys.exit(0 if report.succeeded else 1)
