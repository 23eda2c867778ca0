#!/usr/bin/env python3
"""Writes the seeds in corpus/ from our own models, with a command that is built: small files of every kind that the readers know.

usage: tests/fuzz/make_corpus.py LISSOM
"""
import gzip
import json
import pathlib
import shutil
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE.parents[1] / "models"
CORPUS = HERE / "corpus"

BODY = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


def robot(joints, extra=""):
    links = "".join(f'<link name="l{i}">{BODY}</link>' for i in range(len(joints) + 1))
    chain = "".join(f'<joint name="j{i}" type="{kind}"><parent link="l{i}"/><child link="l{i + 1}"/>{inside}</joint>'
                    for i, (kind, inside) in enumerate(joints))
    return f'<?xml version="1.0"?><robot name="r">{links}{chain}{extra}</robot>'


def write(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def sdf():
    body = "<inertial><mass>1</mass></inertial>"
    links = "".join(f'<link name="l{i}"><pose>{i} 0 0 0 0 .1</pose>{body}</link>' for i in range(3))
    axes = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>"
    kinds = ["revolute", "continuous", "prismatic", "ball", "universal", "revolute2", "screw", "gearbox", "fixed"]
    for kind in kinds:
        joints = "".join(f'<joint name="j{i}" type="{kind}"><parent>l{i}</parent><child>l{i + 1}</child><pose>0 .1 0 0 0 0</pose>{axes}</joint>' for i in range(2))
        write("sdf", kind, f'<sdf version="1.9"><model name="m">{links}{joints}</model></sdf>')
    loop = f'<joint name="c" type="revolute"><parent>l0</parent><child>l2</child>{axes}</joint>'
    chain = "".join(f'<joint name="j{i}" type="revolute"><parent>l{i}</parent><child>l{i + 1}</child>{axes}</joint>' for i in range(2))
    write("sdf", "loop", f'<sdf version="1.6"><model name="m">{links}{chain}{loop}</model></sdf>')
    write("sdf", "world", f'<sdf version="1.7"><world name="w"><frame name="f"/><model name="a"><static>1</static>{links}</model>'
          f'<model name="b" placement_frame="g"><pose relative_to="f">0 0 1 0 0 0</pose>{links}<frame name="g" attached_to="l1"/></model></world></sdf>')


def urdf():
    axis, limit = '<axis xyz="0 0 1"/>', '<limit lower="-1" upper="1" effort="10" velocity="2"/>'
    kinds = ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical", "helical", "cylindrical", "universal"]
    for kind in kinds:
        write("urdf", kind, robot([(kind, axis + (limit if kind in ("revolute", "prismatic") else ""))]))
    write("urdf", "mimic", robot([("continuous", axis), ("continuous", axis + '<mimic joint="j0" multiplier="2" offset=".1"/>')]))
    write("urdf", "dynamics", robot([("continuous", axis + '<dynamics damping=".1" friction=".2" armature=".3"/>'
                                      '<origin xyz="1 2 3" rpy=".1 .2 .3"/>')]))
    shapes = '<box size="1 2 3"/>', '<sphere radius="1"/>', '<cylinder radius="1" length="2"/>', '<mesh filename="package://a/b.stl" scale="1 1 1"/>'
    write("urdf", "shapes", '<robot name="r"><link name="l">' + BODY + "".join(
        f'<collision><origin xyz="0 0 1"/><geometry>{s}</geometry></collision><visual><geometry>{s}</geometry></visual>' for s in shapes) +
        '</link><material name="m"><color rgba="1 0 0 1"/></material></robot>')
    write("urdf", "transmission", robot([("revolute", axis + limit)], '<transmission name="t"><type>x</type><joint name="j0"/><actuator name="a">'
                                        '<mechanicalReduction>50</mechanicalReduction></actuator></transmission>'))
    write("urdf", "entities", '<!DOCTYPE r [<!ENTITY a "b">]><robot name="&amp;&#x41;&a;"><!-- c --><![CDATA[d]]><link name="l"/></robot>')
    write("urdf", "bom", b"\xef\xbb\xbf" + robot([("fixed", "")]).encode())


def recordings(lissom):
    for kind in ("mcap", "npz", "csv"):
        path = CORPUS / "recording" / f"planar2.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        # (A recording holds the path of its robot: without the folders of this machine.)
        subprocess.run([lissom, "sim", "planar2.urdf", "--seconds", "0.005", "--step", "1e-3", "--record", path], check=True, cwd=MODELS,
                       stdout=subprocess.DEVNULL)
        whole = path.read_bytes()
        write("recording", f"cut.{kind}", whole[:len(whole) * 2 // 3])


def json_files():
    write("loops", "all", json.dumps({"gravity": [0, 0, -9.81], "loops": [{"name": "l", "between": [{"frame": "world", "position": [0, 0, 0]}, {
        "frame": "K1", "position": [1, 2, 3], "rpy": [0.1, 0.2, 0.3]}], "axes": ["x", "y", "rz"]}], "couplings": [
            {"name": "c", "coefficients": {"slider": 1}, "offset": 0.1}], "springs": [{"between": [{"frame": "world"}, {"frame": "K2"}],
                                                                                          "stiffness": 1, "damping": 2, "rest": 0.5}]}))
    for name in ("a03_squeezer", "a05_governor"):
        write("loops", name, (MODELS / "iftomm" / f"{name}.json").read_bytes())
    for name in ("stand", "one-foot"):
        write("motion", name, (MODELS / "motions" / f"{name}.json").read_bytes())
    postures = json.loads((MODELS / "postures" / "humanoid.json").read_text())
    write("posture", "stand", json.dumps({"stand": postures["stand"]}))
    write("posture", "empty", "{}")
    write("states", "planar", json.dumps({"gravity": [0, -9.81, 0], "states": [{"q": {"joint1": [0.1]}, "v": {"joint2": [1e300]}, "a": {}, "tau": {}}]}))
    write("states", "box", json.dumps({"states": [{"q": {"base": [0, 0, 1, 1, 0, 0, 0]}, "v": {"base": [1, 2, 3, 4, 5, 6]}}, {}]}))


def programs():
    def problem(n, equalities, rows, numbers):
        count = n * n + n + equalities * n + equalities + rows * n + 2 * rows + 2 * n + 1 + n
        return struct.pack("<iiii", n, equalities, rows, 0) + struct.pack(f"<{count}d", *[numbers(i) for i in range(count)])
    one = b"LQP1" + struct.pack("<i", 1) + problem(1, 0, 0, lambda i: [2.0, -1.0, -10.0, 10.0, 0.0, 0.5][i % 6])
    two = b"LQP1" + struct.pack("<i", 2) + 2 * problem(2, 1, 1, lambda i: [2.0, 0.0, 0.0, 2.0, 1.0, 1.0, 1.0, 1.0, 1.0][i % 9])
    write("qp", "one", one)
    write("qp", "two", two)
    write("qp", "packed", gzip.compress(two, mtime=0))


def numbers():
    write("plot", "line", bytes([0, 0]) + struct.pack("<8d", 0, 1, 2, 3, 1, -1, 2, 0.5))
    write("plot", "histogram", bytes([1, 1]) + struct.pack("<12d", *range(12)))
    write("plot", "extremes", bytes([0, 1]) + struct.pack("<8d", 0, 1, 2, 3, 5e-324, 0, 1e299, float("nan")))
    for name, text in {"numbers": "1, -2.5e3,+.5", "push": "30,0,0@hand@0.1:0.2", "newtons": "40N@chest@1:1.2", "joints": "joint1=.5,joint2=-1"}.items():
        write("options", name, text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    shutil.rmtree(CORPUS, ignore_errors=True)
    urdf()
    sdf()
    recordings(pathlib.Path(sys.argv[1]).resolve())
    json_files()
    programs()
    numbers()
    print(sum(1 for f in CORPUS.rglob("*") if f.is_file()), "seeds,", sum(f.stat().st_size for f in CORPUS.rglob("*") if f.is_file()), "bytes")


if __name__ == "__main__":
    main()
