#!/usr/bin/env python3
"""Writes the seeds in corpus/ from our own models, with a command that is built: small files of every kind that the readers know.

usage: tests/fuzz/make_corpus.py LISSOM
"""
import base64
import gzip
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import zlib

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


def xacro():
    """(Larger ones are the tests' own: tests/io/xacro/cases.)"""
    root = '<robot name="r" xmlns:xacro="x">{}</robot>'
    write("xacro", "macro", root.format('<xacro:macro name="m" params="a b:=1 c:=^|2 *d **e"><l n="${a}_${b * c}"><xacro:insert_block name="d"/>'
                                        '<xacro:insert_block name="e"/></l></xacro:macro><xacro:m a="x"><o/><g><h/></g></xacro:m>'))
    write("xacro", "property", root.format('<xacro:property name="x" value="${[1, 2.5, \'a\']}"/><xacro:if value="${x[0] == 1}">${x[1:]}</xacro:if>'))
    write("xacro", "itself", root.format('<xacro:include filename="input" optional="1"/><a v="$(arg x) $(find y) $(dirname) $(eval 1 + 1)"/>'))
    write("xacro", "values.yaml", "a: &x {b: [1, .5, !degrees 90], c: 'd'}\ne:\n- <<: *x\n  f: |\n    g\n    h\n- >-\n  i\n  j\n")
    write("xacro", "expression", "[x ** 2 for x in range(3) if not x in (1, 2)][::-1] + list(map(lambda y: '%5.2f' % y, [1e-5, pi])) if 'a' < \"b\" else dict(c=None)")
def mjcf():
    def model(world, head="", tail=""):
        return f'<mujoco>{head}<worldbody>{world}</worldbody>{tail}</mujoco>'
    body = '<body name="a"><joint name="j" range="-30 60"/><geom name="g" size=".1"/></body>'
    two = body + '<body name="b" pos="1 0 0"><joint name="k" type="slide" ref=".1"/><geom name="h" type="box" size=".1 .2 .3"/><site name="s"/></body>'
    write("mjcf", "joints", model('<body pos="0 0 1"><freejoint/><geom size=".1"/></body><body euler="90 0 0"><joint type="ball"/><geom size=".1"/>'
                                  '<body zaxis="1 0 0"><joint pos="0 1 0"/><joint type="slide" axis="1 0 0"/><geom size=".1"/></body></body>'))
    write("mjcf", "geoms", model('<body><joint/><geom type="capsule" size=".1" fromto="0 0 0 1 1 1"/><geom type="ellipsoid" size=".1 .2 .3" shellinertia="true"/>'
                                 '<geom type="mesh" mesh="m" mass="2"/><geom type="cylinder" size=".1 .2" density="5"/></body>',
                                 '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale="1 2 3"/><material name="x" rgba="1 0 0 1"/></asset>'))
    write("mjcf", "inertial", model('<body><joint/><inertial pos="0 0 1" mass="2" fullinertia="1 1 1 .1 .1 .1"/></body>',
                                    '<compiler angle="radian" eulerseq="XYZ" balanceinertia="true" boundmass=".1" settotalmass="3"/>'))
    write("mjcf", "defaults", model('<body childclass="c"><joint class="d"/><geom/></body>',
                                    '<default><geom size=".1"/><default class="c"><joint damping="1"/><default class="d"/></default></default>'))
    write("mjcf", "sections", model(two, tail='<tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon><equality>'
                                    '<connect body1="a" body2="b" anchor="0 0 0"/><weld body1="a"/><joint joint1="j" joint2="k" polycoef="0 1 2 3 4"/></equality>'
                                    '<actuator><position joint="j" kp="3"/><motor tendon="t" gear="2"/></actuator><contact><pair geom1="g" geom2="h"/>'
                                    '<exclude body1="a" body2="b"/></contact><keyframe><key name="x" qpos="0 1"/></keyframe>'))
    write("mjcf", "replicate", model('<replicate count="3" offset="1 0 0" euler="0 0 30"><frame pos="0 1 0">' + body + '</frame></replicate>',
                                     tail='<actuator><motor joint="j"/></actuator>'))


def recordings(lissom):
    for kind in ("mcap", "npz", "csv"):
        path = CORPUS / "recording" / f"planar2.{kind}"
        path.parent.mkdir(parents=True, exist_ok=True)
        # (A recording holds the path of its robot: without the folders of this machine.)
        subprocess.run([lissom, "sim", "planar2.urdf", "--seconds", "0.005", "--step", "1e-3", "--record", path], check=True, cwd=MODELS,
                       stdout=subprocess.DEVNULL)
        whole = path.read_bytes()
        write("recording", f"cut.{kind}", whole[:len(whole) * 2 // 3])


def standing(lissom):
    """Contacts, goals and questions, and the descriptions that recordings hold where no single file has the robot."""
    path = CORPUS / "contacts" / "quadruped"
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([lissom, "contacts", MODELS / "quadruped.urdf", "--write", path], check=True, stdout=subprocess.DEVNULL)
    write("contacts", "point", json.dumps({"contacts": [{"name": "a", "role": "pad", "link": "trunk", "kind": "point", "position": [0, 0, 0], "radius": 0.03}],
                                           "posture": {}, "base_rpy": [0, 0, 1], "remarks": ["b"]}))
    write("goal", "base", json.dumps({"description": "a", "base": [1, 0, 0.5], "tolerance": 0.1}))
    write("goal", "contacts", json.dumps({"contacts": ["left_foot"], "places": {"left_foot": [0, 0, 0, 0, 0, 1]}}))
    write("goal", "handstand", (MODELS / "goals" / "handstand.json").read_bytes())
    q, identity = [0.1] * 7, [1, 0, 0, 0]
    for question in ({"ask": "quantities", "q": q, "v": q}, {"ask": "pull", "q": q, "link": "link7", "point": [0, 0, 0], "to": [0.1, 0, 0.5], "pinned": []},
                     {"ask": "reach", "q": q, "frame": "link7", "pose": [0.2, 0, 0.5, *identity]}, {"ask": "close", "q": q, "joint": "joint1"},
                     {"ask": "random", "robot": 1}):
        write("question", question["ask"], json.dumps({"id": 1} | question))
    for name, source in (("scene", ["scenes/grip.json"]), ("loops", ["iftomm/a03_squeezer.urdf", "--loops", "iftomm/a03_squeezer.json"])):
        recording = CORPUS / "recording.csv"
        subprocess.run([lissom, "sim", *source, "--seconds", "0.001", "--record", recording], check=True, cwd=MODELS, stdout=subprocess.DEVNULL)
        header = json.loads(recording.read_text().splitlines()[1].removeprefix("# "))
        recording.unlink()
        write("description", name, header["robot_description"])


def json_files():
    write("loops", "all", json.dumps({"gravity": [0, 0, -9.81], "loops": [{"name": "l", "a": {"frame": "world", "position": [0, 0, 0]}, "b": {
        "frame": "K1", "position": [1, 2, 3], "rpy": [0.1, 0.2, 0.3]}, "axes": "xy rz"}], "couplings": [
            {"name": "c", "joint": "beta", "of": "gamma", "coefficients": [0.1, 1]}], "springs": [{"a": {"frame": "world"}, "b": {"frame": "K2"}, "stiffness": 1, "damping": 2, "rest": 0.5}]}))
    for name in ("a03_squeezer", "a05_governor"):
        write("loops", name, (MODELS / "iftomm" / f"{name}.json").read_bytes())
    for name in ("stand", "one-foot"):
        write("motion", name, (MODELS / "motions" / f"{name}.json").read_bytes())
    write("scene", "cradle", (MODELS / "scenes" / "cradle.json").read_bytes())
    write("scene", "grip", (MODELS / "scenes" / "grip.json").read_bytes().replace(b"../gripper", b"gripper"))
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


CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def packed(kind, lists):
    return b"".join(struct.pack("<" + kind * len(numbers), *numbers) for numbers in lists)


def gltf(buffer):
    return {"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
            "nodes": [{"mesh": 0, "scale": [1, 2, 1], "rotation": [0, 0, 1, 0], "children": [1]}, {"mesh": 0, "translation": [3, 0, 0]}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}, {"attributes": {"POSITION": 0}, "mode": 5}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                          {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}],
            "bufferViews": [{"buffer": 0, "byteLength": 48, "byteStride": 12}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
            "buffers": [{"byteLength": 72} | buffer]}


def meshes():
    triangles = b"".join(packed("f", [(0, 0, 0), *(CORNERS[i] for i in face)]) + b"\0\0" for face in FACES)
    write("mesh_stl", "binary", bytes(80) + struct.pack("<I", 4) + triangles)
    text = "solid a\n" + "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex %g %g %g\n" % CORNERS[i] for i in face) + "endloop\nendfacet\n"
                                 for face in FACES) + "endsolid a\n"
    write("mesh_stl", "text", text)
    vertices = "".join("v %g %g %g\n" % c for c in CORNERS)
    write("mesh_obj", "plain", vertices + "".join("f %d %d %d\n" % tuple(i + 1 for i in f) for f in FACES))
    write("mesh_obj", "polygon", "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 .5 0\nv 0 1 0 1 1 1\nvn 0 0 1\nf 1//1 2//1 3//1 4/1/1 5\\\n\nf -1 -2 -3\n")
    header = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
    write("mesh_ply", "text", "ply\nformat ascii 1.0\n" + header + "".join("%g %g %g\n" % c for c in CORNERS) + "".join("3 %d %d %d\n" % f for f in FACES))
    for name, mark in (("little", "<"), ("big", ">")):
        data = b"".join(struct.pack(mark + "3f", *c) for c in CORNERS) + b"".join(struct.pack(mark + "B3i", 3, *f) for f in FACES)
        write("mesh_ply", name, f"ply\nformat binary_{name}_endian 1.0\n{header}".encode() + data)
    source = ('<source id="p"><float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common>'
              '<accessor source="#a" count="4" stride="3"/></technique_common></source>')
    lists = {"triangles": "<p>0 2 1 0 1 3 0 3 2 1 2 3</p>", "polylist": "<vcount>3 4</vcount><p>0 1 2 0 2 1 3</p>",
             "polygons": "<p>0 1 2</p><p>0 2 1 3</p>", "tristrips": "<p>0 1 2 3</p>", "trifans": "<p>0 1 2 3</p>"}
    for tag, numbers in lists.items():
        write("mesh_dae", tag, '<COLLADA><asset><unit meter="0.1"/><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>' + source +
              f'<vertices id="v"><input semantic="POSITION" source="#p"/></vertices><{tag}><input semantic="VERTEX" source="#v" offset="0"/>{numbers}'
              f'</{tag}></mesh></geometry></library_geometries><library_nodes><node id="n"><scale>1 2 -3</scale><instance_geometry url="#g"/></node>'
              '</library_nodes><library_visual_scenes><visual_scene id="s"><node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>'
              '<translate>1 2 3</translate><rotate>0 0 1 90</rotate><instance_node url="#n"/><instance_geometry url="#g"/></node></visual_scene>'
              '</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>')
    data = packed("f", CORNERS) + packed("H", FACES)
    write("mesh_gltf", "embedded", json.dumps(gltf({"uri": "data:;base64," + base64.b64encode(data).decode()})))
    text = json.dumps(gltf({})).encode()
    text += b" " * (-len(text) % 4)
    write("mesh_gltf", "binary", b"glTF" + struct.pack("<III", 2, 28 + len(text) + len(data), len(text)) + b"JSON" + text +
          struct.pack("<I", len(data)) + b"BIN\0" + data)
    write("mesh_msh", "plain", struct.pack("<4i", 4, 1, 1, 4) + packed("f", CORNERS) + struct.pack("<5f", 0, 0, 1, 0, 0) + packed("i", FACES))
    chunk = lambda tag, content: struct.pack(">I", len(content)) + tag + content + struct.pack(">I", zlib.crc32(tag + content))
    for name, depth, color, rows in (("gray", 8, 0, b"\0\1\2\3\4\5\6\7"), ("deep", 16, 2, b"\1" + bytes(range(18)) + b"\2" + bytes(18))):
        write("heights", name, b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 3, 2, depth, color, 0, 0, 0)) +
              chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    write("heights", "mujoco", struct.pack("<2i6f", 2, 3, 1, 2, 3, 4, 5, 7))
    write("hull", "bytes", bytes([0]) + bytes(range(60)) + bytes([0, 0, 9, 0, 9, 0, 9, 0, 0, 0, 0, 0]))
    write("hull", "floats", bytes([1]) + packed("f", CORNERS) + struct.pack("<6f", .1, .1, .1, 1e-7, 1, 1))
    write("hull", "doubles", bytes([2]) + packed("d", CORNERS) + struct.pack("<6d", .5, .5, 1e-12, 1, 1, 1))


def tosses():
    names = "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"
    frames = f"toss,t,{names}\n" + "".join(f"0,{t / 100},{t / 50},0,.04,.6,0,.8,0,2,0,-1,1,2,3\n" for t in range(4))
    starts = f"toss,frames_before_contact,{names}\n0,2,0,0,.1,.6,0,.8,0,2,0,-1,1,2,3\n"
    write("tosses", "texts", frames + "\0" + starts)
    write("tosses", "packed", gzip.compress(frames.encode(), mtime=0))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    shutil.rmtree(CORPUS, ignore_errors=True)
    urdf()
    sdf()
    xacro()
    mjcf()
    recordings(pathlib.Path(sys.argv[1]).resolve())
    json_files()
    standing(pathlib.Path(sys.argv[1]).resolve())
    programs()
    numbers()
    meshes()
    tosses()
    print(sum(1 for f in CORPUS.rglob("*") if f.is_file()), "seeds,", sum(f.stat().st_size for f in CORPUS.rglob("*") if f.is_file()), "bytes")


if __name__ == "__main__":
    main()
