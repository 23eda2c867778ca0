# SPDX-License-Identifier: Apache-2.0
"""The tables of README.md."""
from .algebra import X, Y, Z, num


def joint_table(robot):
    names = {X: "x (roll)", Y: "y (pitch)", Z: "z (yaw)"}
    rows = ["| joint | axis | range, left (°) | range, right (°) | effort (N m) | velocity (rad/s) |", "|---|---|---|---|---|---|"]
    by_name = {j.name: j for j in robot.joints}
    for j in robot.joints:
        if j.type == "fixed" or j.name.startswith("right_"):
            continue
        here = f"{j.range[0]} … {j.range[1]}"
        other = by_name.get(j.name.replace("left_", "right_"))
        both = other is not j
        there = f"{other.range[0]} … {other.range[1]}" if both else "–"
        rows.append(f"| `{j.name.replace('left_', '*_')}` | {names[j.axis]} | {here} | {there} | {num(j.effort)} | {num(j.velocity)} |")
    return "\n".join(rows)


def mass_table(robot):
    segments = {
        "pelvis and waist": ["pelvis", "waist"], "chest": ["chest"], "neck and head": ["neck", "head"],
        "each hip": ["left_hip_yoke", "left_hip_block"], "each thigh": ["left_thigh"], "each shin": ["left_shin"],
        "each ankle and foot": ["left_ankle", "left_foot"], "each shoulder": ["left_shoulder", "left_shoulder_block"],
        "each upper arm": ["left_upper_arm"], "each forearm and wrist": ["left_forearm", "left_wrist"],
        "each hand": ["left_hand", "left_fingers"]}
    mass = {link.name: link.mass for link in robot.links}
    rows = ["| segment | links | mass (kg) |", "|---|---|---|"]
    for name, links in segments.items():
        rows.append(f"| {name} | {', '.join('`' + n.replace('left_', '*_') + '`' for n in links)} | {num(sum(mass[n] for n in links))} |")
    rows.append(f"| all | | {num(robot.mass())} |")
    return "\n".join(rows)


def fill(text, mark, body):
    """Replaces the text between the two comments of this mark."""
    begin, end = f"<!-- {mark} -->", f"<!-- end of {mark} -->"
    head, rest = text.split(begin)
    return head + begin + "\n" + body + "\n" + end + rest.split(end)[1]
