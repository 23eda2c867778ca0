#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes our robot models: every .urdf in this folder and in mechanisms/, the pictures, and the tables of README.md.

    python3 generate.py            write the files
    python3 generate.py --check    write nothing; fail if a file on disk differs from what would be written

generator/ has the parts: data structures, robots, mechanisms, URDF, pictures, tables. z is up, x forward, y left.
"""
import json
import sys
from pathlib import Path

from generator.mechanisms import MECHANISMS, delta_rods
from generator.pictures import humanoid_picture, postures_picture
from generator.robots import arm7, arm7_gripper, gripper, humanoid, planar2, planar3, quadruped
from generator.tables import fill, joint_table, mass_table
from generator.urdf import urdf

HERE = Path(__file__).resolve().parent


def files():
    body = humanoid()
    postures = json.loads((HERE / "postures/humanoid.json").read_text(encoding="utf-8"))
    out = {f"{make.__name__}.urdf": urdf(make()) for make in (humanoid, quadruped, arm7, arm7_gripper, gripper, planar2, planar3)}
    out |= {f"mechanisms/{make.__name__}.urdf": urdf(make()) for make in MECHANISMS}
    out["mechanisms/delta.json"] = json.dumps(delta_rods(), indent=1) + "\n"
    out["humanoid.svg"] = humanoid_picture(body)
    out["postures/humanoid.svg"] = postures_picture(body, postures)
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    readme = fill(readme, "joints of the humanoid", joint_table(body))
    out["README.md"] = fill(readme, "masses of the humanoid", mass_table(body))
    return out


def main():
    checking = "--check" in sys.argv[1:]
    stale = 0
    for name, text in files().items():
        path = HERE / name
        data = text.encode("utf-8")
        if checking:
            if not path.exists() or path.read_bytes() != data:
                print(f"{name} differs from what generate.py writes")
                stale += 1
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
