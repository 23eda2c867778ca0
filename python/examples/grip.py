#!/usr/bin/env python3
"""A gripper takes a capsule off the ground, shakes it, and holds it: by friction alone, and without creeping.

usage: grip.py [--force 30] [--seconds 2] [--plot FILE.png]
"""

import argparse
import sys

import numpy as np

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--force", type=float, default=30, help="of each finger, N")
parser.add_argument("--seconds", type=float, default=2, help="how long it is held still, s")
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()


def link(name, mass, size=None):
    shape = f'<collision><geometry><box size="{size}"/></geometry></collision>' if size else ""
    return f'<link name="{name}"><inertial><mass value="{mass}"/><inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/></inertial>{shape}</link>'


def joint(name, parent, child, axis, origin="0 0 0"):
    return f'''<joint name="{name}" type="prismatic"><parent link="{parent}"/><child link="{child}"/><origin xyz="{origin}"/><axis xyz="{axis}"/>
      <limit lower="-1" upper="1" effort="1000" velocity="10"/></joint>'''


# A carriage that moves along x and z; two fingers that close along y.
gripper = lissom.load_text(
    "<robot name='gripper'><link name='base'/>" + link("carriage", 1) + link("palm", 0.5) + link("left", 0.1, "0.02 0.01 0.04") + link("right", 0.1, "0.02 0.01 0.04")
    + joint("x", "base", "carriage", "1 0 0") + joint("z", "carriage", "palm", "0 0 1")
    + joint("left", "palm", "left", "0 -1 0", "0 0.04 0.03") + joint("right", "palm", "right", "0 1 0", "0 -0.04 0.03") + "</robot>")

world = lissom.World(tolerance=1e-10)
world.add_ground()
along_x = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
capsule = lissom.Shape("capsule", radius=0.012, length=0.05)
world.add_body(lissom.RigidBody.homogeneous("capsule", capsule, 0.045, pose=(along_x, [0, 0, 0.012])))
world.add_robot("gripper", gripper)
world.exclude("gripper", "ground")
world.set_properties("", "", friction=0.7)

step, target = 1e-3, np.zeros(gripper.nq)
times, heights, slips = [], [], []


def run(seconds, motion):
    """The carriage follows a motion of time; the fingers press."""
    begin = world.time
    while world.time < begin + seconds - step / 2:
        target[0], target[1] = motion(world.time - begin)
        world.set_servos("gripper", stiffness=[4e4, 4e4, 0, 0], damping=[400, 400, 5, 5], q_target=target)
        world.step(step)
        times.append(world.time)
        heights.append(world.pose("capsule")[2, 3] - world.q("gripper")[1])
        slips.append(max((contact.slip for contact in world.contacts() if "capsule" in (contact.a, contact.b)), default=0.0))


world.tau("gripper")[2:] = arguments.force
run(0.3, lambda t: (0, 0))
run(0.5, lambda t: (0, 0.2 * (t / 0.5) ** 2 * (3 - 2 * t / 0.5)))
lifted = world.pose("capsule")[2, 3]
run(0.5, lambda t: (0.02 * np.sin(2 * np.pi * 4 * t) * np.sin(np.pi * t / 0.5), 0.2))
run(0.2, lambda t: (0, 0.2))
before = heights[-1]
run(arguments.seconds, lambda t: (0, 0.2))
creep = abs(heights[-1] - before) / arguments.seconds

weight = 9.81 * world.mass("capsule")
carried = -sum(world.contact_force(f"gripper/{finger}")[2] for finger in ("left", "right"))
print(f"lifted to {1e3 * lifted:.1f} mm; in the fingers it has moved {1e6 * abs(heights[-1] - heights[300]):.2f} µm since the lift began")
print(f"the fingers press with {arguments.force:g} N each, and carry {carried:.5f} N of {weight:.5f} N")
print(f"held still for {arguments.seconds:g} s it creeps {1e6 * creep:.1e} µm/s")

if arguments.plot:
    import matplotlib.pyplot as plt

    figure, (above, below) = plt.subplots(2, sharex=True, figsize=(6, 5), layout="constrained")
    above.plot(times, 1e3 * np.array(heights))
    above.set_ylabel("height in the hand (mm)")
    below.semilogy(times, np.maximum(slips, 1e-16))
    below.set(xlabel="time (s)", ylabel="largest slip (m/s)")
    figure.savefig(arguments.plot)
sys.exit(0 if abs(carried - weight) < 1e-3 * weight and creep < 1e-9 else "it did not hold")
