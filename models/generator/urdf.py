# SPDX-License-Identifier: Apache-2.0
"""Writes a model as URDF."""
import math

from .algebra import num, nums
from .model import COLORS


def origin(at, rpy, indent):
    if not any(at) and not any(rpy):
        return ""
    turn = f' rpy="{nums(math.radians(a) for a in rpy)}"' if any(rpy) else ""
    return f'{indent}<origin xyz="{nums(at)}"{turn}/>\n'


def shape_xml(shape, tag):
    s = shape.size
    if shape.kind == "box":
        body = f'<box size="{nums(s)}"/>'
    elif shape.kind == "cylinder":
        body = f'<cylinder radius="{num(s[0])}" length="{num(s[1])}"/>'
    else:
        body = f'<sphere radius="{num(s[0])}"/>'
    out = f"    <{tag}>\n" + origin(shape.at, shape.rpy, "      ") + f"      <geometry>{body}</geometry>\n"
    if tag == "visual":
        out += f'      <material name="{shape.color}"/>\n'
    return out + f"    </{tag}>\n"


def link_xml(link):
    if not link.mass and not link.shapes:
        return f'  <link name="{link.name}"/>\n'
    out = f'  <link name="{link.name}">\n'
    if link.mass:
        com, i = link.inertial()
        out += "    <inertial>\n" + origin(com, link.com_rpy, "      ")
        out += f'      <mass value="{num(link.mass)}"/>\n'
        entries = (("ixx", 0, 0), ("ixy", 0, 1), ("ixz", 0, 2), ("iyy", 1, 1), ("iyz", 1, 2), ("izz", 2, 2))
        out += "      <inertia " + " ".join(f'{n}="{num(i[a][b])}"' for n, a, b in entries) + "/>\n    </inertial>\n"
    out += "".join(shape_xml(s, "visual") for s in link.shapes)
    out += "".join(shape_xml(s, "collision") for s in link.shapes if s.collides)
    return out + "  </link>\n"


def joint_xml(j):
    out = f'  <joint name="{j.name}" type="{j.type}">\n' + origin(j.at, j.rpy, "    ")
    out += f'    <parent link="{j.parent}"/>\n    <child link="{j.child}"/>\n'
    if j.axis:
        pitch = f' pitch="{num(j.pitch)}"' if j.pitch is not None else ""
        out += f'    <axis xyz="{nums(j.axis)}"{pitch}/>\n'
    if j.axis2:
        out += f'    <axis2 xyz="{nums(j.axis2)}"/>\n'
    if j.effort:
        between = ""
        if j.range:
            lower, upper = j.limits()
            between = f'lower="{num(lower)}" upper="{num(upper)}" '
        out += f'    <limit {between}effort="{num(j.effort)}" velocity="{num(j.velocity)}"/>\n'
    if j.dynamics:
        out += "    <dynamics " + " ".join(f'{k}="{num(v)}"' for k, v in j.dynamics.items()) + "/>\n"
    if j.mimic:
        out += f'    <mimic joint="{j.mimic[0]}" multiplier="{num(j.mimic[1])}" offset="{num(j.mimic[2])}"/>\n'
    return out + "  </joint>\n"


def urdf(robot):
    used = {s.color for link in robot.links for s in link.shapes}
    out = '<?xml version="1.0"?>\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n'
    out += f'<!-- {robot.about} Written by generate.py. -->\n<robot name="{robot.name}">\n'
    for name, rgb in COLORS.items():
        if name in used:
            out += f'  <material name="{name}"><color rgba="{nums(rgb)} 1"/></material>\n'
    into = {j.child: j for j in robot.joints}
    for link in robot.links:
        out += "\n" + link_xml(link)
        if link.name in into:
            out += joint_xml(into[link.name])
    if robot.frames:
        out += "\n"
    for f in robot.frames:
        turn = f' rpy="{nums(math.radians(a) for a in f.rpy)}"' if any(f.rpy) else ""
        out += f'  <frame name="{f.name}" link="{f.link}" xyz="{nums(f.at)}"{turn}/>\n'
    return out + "</robot>\n"
