#!/usr/bin/env python3
"""Analyzes a posture of the humanoid with `lissom eval`: a program in any language can use lissom like this.

usage: posture.py [NAME] [--lissom COMMAND]        NAME: one of models/postures/humanoid.json (default: squat)
"""
import argparse
import json
import math
import pathlib
import subprocess

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"


def evaluate(lissom, *states):
    """Evaluates states of the humanoid; returns the list of joints, and one result for each state."""
    answer = subprocess.run([lissom, "eval", str(MODELS / "humanoid.urdf"), "--base", "free", "--states", "-"],
                            input=json.dumps({"states": states}), capture_output=True, text=True)
    if answer.returncode != 0:
        raise SystemExit(answer.stderr.strip())
    answer = json.loads(answer.stdout)
    return answer["joints"], answer["results"]


def main():
    postures = json.loads((MODELS / "postures" / "humanoid.json").read_text())
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", default="squat", choices=sorted(postures))
    parser.add_argument("--lissom", default="lissom")
    options = parser.parse_args()
    posture = postures[options.name]

    # Joints are given by name. The base is a free joint: position, then quaternion, w first.
    q = {name: [angle] for name, angle in posture["joints"].items()}
    q["base"] = posture["base_position"] + posture["base_quaternion"]
    joints, (static,) = evaluate(options.lissom, {"q": q})

    by_name = {joint["name"]: static["tau"][joint["idx_v"]:joint["idx_v"] + joint["nv"]] for joint in joints}
    torques = sorted(((abs(tau[0]), name) for name, tau in by_name.items() if name != "base"), reverse=True)
    print("center of mass    ({:.3f}, {:.3f}, {:.3f}) m".format(*static["com"]))
    for contact in posture["contacts"]:
        print("{:<17} ({:.3f}, {:.3f}, {:.3f}) m".format(contact, *static["placements"][contact][9:]))
    print("potential energy  {:.1f} J".format(static["potential_energy"]))
    print("held at the pelvis, it needs a force of {:.1f} N there; largest torques: {}".format(
        math.hypot(*by_name["base"][:3]), ", ".join(f"{name} ({tau:.1f} N m)" for tau, name in torques[:3])))

    # With these forces, forward dynamics gives zero acceleration; without them the robot falls.
    _, (supported, falling) = evaluate(options.lissom, {"q": q, "tau": by_name}, {"q": q})
    print("with these forces the largest acceleration is {:.0e}; without them it falls with {:.2f} m/s²".format(
        max(map(abs, supported["qdd"])), math.hypot(*falling["qdd"][:3])))


if __name__ == "__main__":
    main()
