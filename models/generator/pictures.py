# SPDX-License-Identifier: Apache-2.0
"""Draws models from their shapes, as SVG."""
import math

from .algebra import IDENTITY, about, add, apply, from_quaternion, from_rpy, matmul
from .model import COLORS


def placements(robot, joints=None, base=((0, 0, 0), IDENTITY)):
    """Position and rotation of every link, for revolute joints at the given angles (radians; default 0)."""
    joints = joints or {}
    children = {j.child for j in robot.joints}
    place = {link.name: base for link in robot.links if link.name not in children}
    for j in robot.joints:  # parents are listed before their children
        p, r = place[j.parent]
        turned = matmul(r, from_rpy(j.rpy))
        if j.axis:
            turned = matmul(turned, about(j.axis, joints.get(j.name, 0)))
        place[j.child] = (add(p, apply(r, j.at)), turned)
    return place


def hull(points):
    """Convex hull in the plane, counter-clockwise."""
    points = sorted(set(points))

    def half(sequence):
        out = []
        for q in sequence:
            while len(out) > 1 and ((out[-1][0] - out[-2][0]) * (q[1] - out[-2][1]) <= (out[-1][1] - out[-2][1]) * (q[0] - out[-2][0])):
                out.pop()
            out.append(q)
        return out[:-1]

    return half(points) + half(points[::-1])


def outline(shape):
    """Points whose convex hull is the shape, relative to its center; none for a sphere."""
    s = shape.size
    if shape.kind == "box":
        return [(s[0] / 2 * i, s[1] / 2 * j, s[2] / 2 * k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    if shape.kind == "cylinder":
        circle = [(s[0] * math.cos(math.pi * k / 12), s[0] * math.sin(math.pi * k / 12)) for k in range(24)]
        return [(x, y, s[1] / 2 * k) for x, y in circle for k in (-1, 1)]
    return []


def view(robot, place, across, toward, at, scale):
    """SVG of the robot, with the world's direction `across` to the right, z up, and `toward` pointing to the viewer."""
    drawn = []
    for link in robot.links:
        p, r = place[link.name]
        for shape in link.shapes:
            center = add(p, apply(r, shape.at))
            turned = matmul(r, from_rpy(shape.rpy))
            points = [add(center, apply(turned, v)) for v in outline(shape)]

            def flat(q):
                return (round(at[0] + scale * sum(a * b for a, b in zip(across, q)), 1), round(at[1] - scale * q[2], 1))

            def depth(q):
                return sum(a * b for a, b in zip(toward, q))

            near = max(map(depth, points)) if points else depth(center) + shape.size[0]
            rgb = "#" + "".join(f"{round(255 * c):02x}" for c in COLORS[shape.color])
            if points:
                body = '<polygon points="' + " ".join(f"{x:g},{y:g}" for x, y in hull([flat(q) for q in points])) + '"'
            else:
                x, y = flat(center)
                body = f'<circle cx="{x:g}" cy="{y:g}" r="{scale * shape.size[0]:g}"'
            drawn.append((round(near, 6), len(drawn), f'{body} fill="{rgb}"/>'))
    return "\n".join(item for _, _, item in sorted(drawn))


def svg(width, height, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
            f'font-family="sans-serif" font-size="13" fill="#444">\n'
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>\n{body}\n</svg>\n')


def ground(x0, x1, y):
    return f'<line x1="{x0}" y1="{y}" x2="{x1}" y2="{y}" stroke="#999" stroke-width="1.5"/>'


def label(x, y, text):
    return f'<text x="{x}" y="{y}" text-anchor="middle">{text}</text>'


def stroked(body):
    return f'<g stroke="#333" stroke-width="0.8" stroke-linejoin="round">\n{body}\n</g>'


STANDING = 0.765  # height of the pelvis above the soles with straight legs


def humanoid_picture(robot):
    scale, floor = 340, 560
    place = placements(robot, base=((0, 0, STANDING), IDENTITY))
    parts = [ground(30, 670, floor)]
    parts.append(stroked(view(robot, place, (0, 1, 0), (1, 0, 0), (190, floor), scale)))
    parts.append(stroked(view(robot, place, (1, 0, 0), (0, -1, 0), (500, floor), scale)))
    top = floor - 1.54 * scale
    parts.append(f'<path d="M345 {floor}V{top:g}M338 {floor}h14M338 {top:g}h14" stroke="#888" fill="none"/>')
    parts += [label(345, 30, "1.54 m"), label(190, 590, "front"), label(500, 590, "side")]
    return svg(700, 610, "\n".join(parts))


def postures_picture(robot, postures):
    scale, floor, step = 150, 300, 190
    parts = [ground(10, step * len(postures) + 10, floor)]
    for k, (name, posture) in enumerate(postures.items()):
        base = (posture["base_position"], from_quaternion(*posture["base_quaternion"]))
        place = placements(robot, posture["joints"], base)
        middle = place["pelvis"][0][0] / 2
        parts.append(stroked(view(robot, place, (1, 0, 0), (0, -1, 0), (round(step * (k + 0.5) + 10 - scale * middle, 1), floor), scale)))
        parts.append(label(step * (k + 0.5) + 10, floor + 24, name))
    return svg(step * len(postures) + 20, floor + 40, "\n".join(parts))
