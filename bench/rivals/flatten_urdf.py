"""Writes robots as lists of movable joints, the format that some of the measuring programs read; links on fixed joints are merged with their parents.

usage: flatten_urdf.py FOLDER BASE:NAME:FILE …        prints BASE:NAME:FOLDER/NAME.txt for each

A line for each joint, parents first: index of the parent's line (-1: world), type (0 prismatic, 1 revolute, 2 free), placement in the parent's frame
(rotation by rows, origin), axis, limits, mass, center of mass, inertia about it (xx yy zz xy xz yz).
"""
import math
import sys
import xml.etree.ElementTree as ElementTree


def numbers(element, attribute, default):
    text = None if element is None else element.get(attribute)
    return [float(x) for x in (text or default).split()]


def times(A, B):
    return [[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def apply(A, x):
    return [sum(A[i][k] * x[k] for k in range(3)) for i in range(3)]


def transposed(A):
    return [list(column) for column in zip(*A)]


def pose(element):
    """Rotation and origin of an <origin>."""
    (r, p, y), xyz = numbers(element, "rpy", "0 0 0"), numbers(element, "xyz", "0 0 0")
    x = [[1, 0, 0], [0, math.cos(r), -math.sin(r)], [0, math.sin(r), math.cos(r)]]
    yy = [[math.cos(p), 0, math.sin(p)], [0, 1, 0], [-math.sin(p), 0, math.cos(p)]]
    z = [[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1]]
    return times(z, times(yy, x)), xyz


def product(a, b):
    return times(a[0], b[0]), [s + t for s, t in zip(apply(a[0], b[1]), a[1])]


class Body:
    """Mass, first and second moments of mass about a frame's origin; those of merged links are added."""

    def __init__(self):
        self.mass, self.first, self.second = 0.0, [0.0] * 3, [[0.0] * 3 for _ in range(3)]

    def add(self, link, placement):
        inertial = link.find("inertial")
        if inertial is None:
            return
        R, c = product(placement, pose(inertial.find("origin")))
        mass = numbers(inertial.find("mass"), "value", "0")[0]
        i = {k: numbers(inertial.find("inertia"), "i" + k, "0")[0] for k in ("xx", "yy", "zz", "xy", "xz", "yz")}
        about_com = [[i["xx"], i["xy"], i["xz"]], [i["xy"], i["yy"], i["yz"]], [i["xz"], i["yz"], i["zz"]]]
        about_com = times(R, times(about_com, transposed(R)))
        self.mass += mass
        for a in range(3):
            self.first[a] += mass * c[a]
            for b in range(3):
                self.second[a][b] += about_com[a][b] + mass * ((a == b) * sum(x * x for x in c) - c[a] * c[b])

    def line(self):
        c = [x / self.mass if self.mass else 0.0 for x in self.first]
        at = lambda a, b: self.second[a][b] - self.mass * ((a == b) * sum(x * x for x in c) - c[a] * c[b])
        return [self.mass, *c, *(at(a, b) for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))]


def flattened(robot, base):
    links = {link.get("name"): link for link in robot.findall("link")}
    joints = robot.findall("joint")
    root = next(name for name in links if name not in {j.find("child").get("link") for j in joints})
    rows, bodies = [], []

    def visit(name, row, placement):
        if row >= 0:
            bodies[row].add(links[name], placement)
        for joint in joints:
            if joint.find("parent").get("link") != name:
                continue
            kind, child = joint.get("type"), joint.find("child").get("link")
            X = product(placement, pose(joint.find("origin")))
            if kind == "fixed":
                visit(child, row, X)
                continue
            if kind not in ("revolute", "continuous", "prismatic") or joint.find("mimic") is not None:
                sys.exit(f"joint '{joint.get('name')}' is a mimic joint, or has a type that is not measured here")
            limit = joint.find("limit") if kind != "continuous" else None
            rows.append([row, int(kind != "prismatic"), *sum(X[0], []), *X[1], *numbers(joint.find("axis"), "xyz", "1 0 0"),
                         *numbers(limit, "lower", "0"), *numbers(limit, "upper", "0")])
            bodies.append(Body())
            visit(child, len(rows) - 1, pose(None))

    if base == "free":
        rows.append([-1, 2, *sum(pose(None)[0], []), *[0.0] * 8])
        bodies.append(Body())
    visit(root, len(rows) - 1, pose(None))
    return [row + body.line() for row, body in zip(rows, bodies)]


folder = sys.argv[1]
for spec in sys.argv[2:]:
    base, name, file = spec.split(":", 2)
    with open(f"{folder}/{name}.txt", "w") as out:
        for line in flattened(ElementTree.parse(file).getroot(), base):
            print(*line, file=out)
    print(f"{base}:{name}:{folder}/{name}.txt")
