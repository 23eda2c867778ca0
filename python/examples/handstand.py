"""A humanoid goes from standing to a handstand: the motion file, our controller, and a simulated robot that gets torques.

The robot is simulated with rigid contacts and friction; it is not told what the controller expects of it.

    python handstand.py [--mass-error 0.05] [--plot handstand.png]
"""
import argparse
import sys

import numpy as np

import lissom
from lissom import control

parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--mass-error", type=float, default=0, help="masses of links are wrong by up to this fraction")
parser.add_argument("--plot", metavar="FILE", help="draw a figure (needs matplotlib)")
arguments = parser.parse_args()

robot = lissom.load(str(lissom.models / "humanoid.urdf"), base="free")
plan = control.read_motion_plan(robot, lissom.models / "motions/handstand.json")
names = [contact.name or contact.frame for contact in plan.contacts]

times, coms, desired, normals, last = [], [], [], [], {}


def observe(reading):
    """Keeps every tenth tick."""
    last["q"] = reading.q
    if len(times) and reading.time < times[-1] + 0.01 - 1e-9:
        return
    times.append(reading.time)
    coms.append(reading.tick.com)
    desired.append(reading.desired_com)
    normals.append(reading.normals)


report = control.run(robot, plan, mass_error=arguments.mass_error, observer=observe)
coms, desired, normals = np.array(coms), np.array(desired), np.array(normals)

print(f"{plan.name}: {'succeeded' if report.succeeded else 'failed: ' + report.failure}")
stage = None
for transition in report.transitions:
    if transition.stage != stage:
        stage = transition.stage
        print(f"  {transition.time:7.3f} s  {stage}")
print(f"{report.seconds:.2f} s, {report.ticks} ticks, {report.elastic_ticks} of them elastic, {report.failed_ticks} without a solution")
print(f"tick: {report.tick_median:.0f} µs median, dynamics included")
print(f"center of mass at most {1e3 * report.max_com_error:.0f} mm from its target, friction used {100 * report.max_friction_use:.0f} %")
motor = max(report.motors, key=lambda m: m.max_torque / m.limit)
print(f"most used motor: {motor.joint}, {motor.max_torque:.1f} of {motor.limit:.0f} N m")

# It stands on its hands at some time: all of the weight is on the palms, and the feet are up.
palms = [i for i, name in enumerate(names) if "palm" in name]
soles = [i for i, name in enumerate(names) if "sole" in name]
on_hands = (normals[:, palms].sum(1) > 0.9 * lissom.weight(robot)) & (normals[:, soles].max(1) < 1)
print(f"{0.01 * on_hands.sum():.1f} s on the hands alone")
feet_up = min(robot.placement(last["q"], name)[2, 3] for name in ("left_sole", "right_sole"))
print(f"at the end the feet are {feet_up:.2f} m above the ground")

if arguments.plot:
    try:
        import matplotlib
    except ImportError:
        sys.exit("--plot needs matplotlib: pip install matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (above, below) = plt.subplots(2, sharex=True, figsize=(8, 5), layout="constrained")
    above.plot(times, coms[:, [0, 2]], label=("forward", "height"))
    above.plot(times, desired[:, [0, 2]], "k:", linewidth=1)
    above.set_ylabel("center of mass (m)")
    above.legend()
    below.plot(times, normals, label=names)
    below.set(xlabel="time (s)", ylabel="normal force (N)")
    below.legend()
    figure.savefig(arguments.plot, dpi=120)
    print(f"drawn: {arguments.plot}")

good = report.succeeded and report.failed_ticks == 0 and 0.01 * on_hands.sum() > 1
sys.exit(0 if good else "no handstand")
