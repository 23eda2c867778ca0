#!/usr/bin/env python3
"""Reads what recordings have for other people's viewers, as ROS 2 messages (mcap-ros2-support), and compares it with lissom eval.

usage: viewers_test.py --lissom COMMAND --venv DIRECTORY [--rerun DIRECTORY]        exit status 77: skipped, and why

With --rerun, Rerun loads the files, too, without a window; that takes 2 s, once rerun-sdk is installed (170 MB to fetch, 790 MB on the disk).
The packages are installed from PyPI, into virtual environments that the test makes once.
"""
import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from other_tools_test import largest, python_with

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"
RUN = ["--seconds", "1", "--step", "5e-4", "--quiet"]  # several chunks
INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
# A link called world, a fixed joint, a joint that follows another, and meshes.
GRIPPER = f"""<?xml version="1.0"?>
<robot name="gripper">
  <link name="world"/>
  <link name="arm">{INERTIAL}<visual><geometry><mesh filename='meshes/arm &amp; hand.stl'/></geometry></visual></link>
  <link name="hand">{INERTIAL}<visual><geometry><mesh filename="package://missing/hand.stl"/></geometry></visual></link>
  <link name="left">{INERTIAL}<collision><geometry><mesh filename="meshes/finger.stl"/></geometry></collision></link>
  <link name="right">{INERTIAL}<visual><geometry><mesh filename="meshes/finger.stl"/></geometry></visual></link>
  <joint name="mount" type="fixed"><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/><parent link="world"/><child link="arm"/></joint>
  <joint name="wrist" type="continuous"><origin xyz="0.3 0 0" rpy="0 1 0"/><axis xyz="0 1 1"/><parent link="arm"/><child link="hand"/></joint>
  <joint name="grip" type="prismatic"><origin xyz="0 0.1 0"/><axis xyz="0 1 0"/><parent link="hand"/><child link="left"/>
    <limit lower="-1" upper="1" effort="10" velocity="10"/></joint>
  <joint name="follow" type="prismatic"><origin xyz="0 -0.1 0"/><axis xyz="0 1 0"/><parent link="hand"/><child link="right"/>
    <limit lower="-2" upper="2" effort="10" velocity="10"/><mimic joint="grip" multiplier="-0.5" offset="0.02"/></joint>
</robot>
"""
TRIANGLE = b"\0" * 80 + (1).to_bytes(4, "little") + bytes.fromhex("00" * 24 + "0000803f" + "00" * 12 + "0000803f" + "00" * 6)

# Runs inside the virtual environment: prints what a file has as JSON.
INSIDE = r"""
import json, struct, sys
from mcap.reader import make_reader
from mcap_ros2.decoder import DecoderFactory
found = {"q": {}, "v": {}, "tau": {}, "/robot_description": [], "/joint_states": [], "/tf": []}
with open(sys.argv[1], "rb") as file:
    reader = make_reader(file, decoder_factories=[DecoderFactory()], validate_crcs=True)
    summary = reader.get_summary()
    channels = {c.topic: c for c in summary.channels.values()}
    counts = {topic: 0 for topic in channels}
    stamp = lambda header: header.stamp.sec * 10**9 + header.stamp.nanosec
    for schema, channel, message, m in reader.iter_decoded_messages():
        topic, t = channel.topic, message.log_time
        assert message.sequence == counts[topic] and message.publish_time == t, (topic, message.sequence)
        counts[topic] += 1
        if topic == "/robot_description":
            assert schema.name == "std_msgs/msg/String"
            found[topic].append({"time": t, "data": m.data})
        elif topic == "/joint_states":
            assert schema.name == "sensor_msgs/msg/JointState" and stamp(m.header) == t
            found[topic].append({"time": t, "name": list(m.name), "position": list(m.position), "velocity": list(m.velocity), "effort": list(m.effort)})
        elif topic == "/tf":
            assert schema.name == "tf2_msgs/msg/TFMessage"
            transforms = []
            for x in m.transforms:
                assert stamp(x.header) == t
                p, r = x.transform.translation, x.transform.rotation
                transforms.append({"parent": x.header.frame_id, "child": x.child_frame_id, "p": [p.x, p.y, p.z], "r": [r.w, r.x, r.y, r.z]})
            found[topic].append({"time": t, "transforms": transforms})
        elif topic in found:
            found[topic][t] = [getattr(m, name) for name in m.__slots__][1:]
    assert counts == {c.topic: summary.statistics.channel_message_counts[c.id] for c in summary.channels.values()}
    assert summary.statistics.message_count == sum(counts.values())
    # The indexes of every chunk lead to all of its messages, and not every chunk has messages of every channel.
    indexed = 0
    for chunk in summary.chunk_indexes:
        file.seek(chunk.chunk_start_offset)
        data = file.read(chunk.chunk_length + chunk.message_index_length)
        messages, at = data[chunk.chunk_length - chunk.uncompressed_size:chunk.chunk_length], chunk.chunk_length
        while at < len(data):
            opcode, length, channel, size = struct.unpack_from("<BQHI", data, at)
            assert opcode == 7 and size > 0 and chunk.message_index_offsets.pop(channel) == chunk.chunk_start_offset + at
            for time, offset in struct.iter_unpack("<QQ", data[at + 15:at + 15 + size]):
                message = struct.unpack_from("<BQHIQ", messages, offset)
                assert (message[0], message[2], message[4]) == (5, channel, time), message
                indexed += 1
            at += 9 + length
        assert not chunk.message_index_offsets, chunk
    assert indexed == sum(counts.values())
    # By time, through the message indexes; not every chunk has messages of every channel.
    for topic in channels:
        some = [m.log_time for _, _, m in reader.iter_messages(topics=[topic], start_time=int(0.2e9), end_time=int(0.3e9))]
        assert all(0.2e9 <= t < 0.3e9 for t in some) and len(some) == {"/robot_description": 0, "/joint_states": 6, "/tf": 6}.get(topic, 200), (topic, len(some))
    found["chunks"] = len(summary.chunk_indexes)
    found["topics"] = sorted(t for t in channels if t.startswith("/"))
    found["columns"] = [c["name"] for c in json.loads(channels["q"].metadata["columns"])]
    found["attachments"] = {a.name: [a.media_type, a.data.hex()] for a in reader.iter_attachments()}
    found["metadata"] = {m.name: m.metadata for m in reader.iter_metadata() if m.name != "lissom.recording"}
print(json.dumps(found))
"""


def run(*words, **more):
    return subprocess.run([str(w) for w in words], check=True, capture_output=True, text=True, **more)


def close(found, expected, tolerance=1e-12):
    assert len(found) == len(expected) and all(abs(a - b) <= tolerance for a, b in zip(found, expected)), (found, expected)


def matrix(w, x, y, z):
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def world_poses(transforms):
    """Rotation matrix row by row, then position, of each frame in the one that is nobody's child."""
    by_child = {t["child"]: t for t in transforms}
    assert len(by_child) == len(transforms), "a frame with two parents"
    roots = {t["parent"] for t in transforms} - set(by_child)
    assert len(roots) == 1, roots

    def pose(frame):
        if frame in roots:
            return [[1, 0, 0], [0, 1, 0], [0, 0, 1]], [0, 0, 0]
        t = by_child[frame]
        assert abs(math.hypot(*t["r"]) - 1) < 1e-14, t
        A, a = pose(t["parent"])
        B, b = matrix(*t["r"]), t["p"]
        return ([[sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)],
                [sum(A[i][k] * b[k] for k in range(3)) + a[i] for i in range(3)])
    return {frame: sum(pose(frame)[0], []) + pose(frame)[1] for frame in by_child}, roots.pop()


def read(python, file):
    ran = subprocess.run([python, "-W", "ignore", "-c", INSIDE, file], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    for signal in ("q", "v", "tau"):
        found[signal] = {int(t): row for t, row in found[signal].items()}
    return found


def check_motion(lissom, robot, base, found, followers=None):
    """Joint states are those of the signals, and transforms those of lissom eval, with at most 60 messages a second."""
    q, times = found["q"], [m["time"] for m in found["/tf"]]
    assert times == [m["time"] for m in found["/joint_states"]] and set(times) <= set(q)
    assert times[0] == min(q) and len(times) == 61, len(times)
    request = {"states": [{"q": q[t]} for t in times]}
    answer = json.loads(run(lissom, "eval", robot, "--base", base, "--states", "-", input=json.dumps(request)).stdout)
    first, moved = world_poses(found["/tf"][0]["transforms"])[0], 0
    for message, result in zip(found["/tf"], answer["results"]):
        poses, root = world_poses(message["transforms"])
        assert set(poses) == set(result["placements"]), set(poses) ^ set(result["placements"])
        for link, pose in poses.items():
            close(pose, result["placements"][link])
        moved = largest(moved, *(abs(a - b) for link in poses for a, b in zip(poses[link], first[link])))
    assert moved > 0.01, "nothing moves"
    joints = {j["name"]: j for j in answer["joints"] if j["nq"] == 1}
    for message in found["/joint_states"]:
        assert set(message["name"]) == set(joints) | set(followers or {}), message["name"]
        t = message["time"]
        for k, name in enumerate(message["name"]):
            leader, ratio, offset = (followers or {}).get(name, (name, 1, 0))
            i, j = joints[leader]["idx_q"], joints[leader]["idx_v"]
            close([message["position"][k], message["velocity"][k]], [ratio * q[t][i] + offset, ratio * found["v"][t][j]])
            assert message["effort"][k] == (found["tau"][t][j] if ratio == 1 else 0)
    return root


def check_humanoid(lissom, python, folder):
    robot = MODELS / "humanoid.urdf"
    run(lissom, "sim", robot, "--base", "free", "--random", 3, "--v", "base.wx=2,base.vy=1,left_knee=1", *RUN, "--record", folder / "free.mcap")
    found = read(python, folder / "free.mcap")
    assert found["topics"] == ["/joint_states", "/robot_description", "/tf"]
    assert check_motion(lissom, robot, "free", found) == "world"
    assert [m["data"] for m in found["/robot_description"]] == [robot.read_text()]
    assert set(found["attachments"]) == {"humanoid.urdf"} and found["chunks"] > 1, found["chunks"]
    return found


def check_gripper(lissom, python, folder):
    robot = folder / "gripper.urdf"
    robot.write_text(GRIPPER)
    (folder / "meshes").mkdir()
    for name in ("arm & hand.stl", "finger.stl"):
        (folder / "meshes" / name).write_bytes(TRIANGLE)
    ran = run(lissom, "sim", robot, "--controller", "pd", "--v", "wrist=2,grip=0.3", *RUN, "--record", folder / "grip.mcap")
    assert ran.stderr == "lissom: note: 1 mesh file is not in the recording: 'package://missing/hand.stl' not found\n", ran.stderr
    found = read(python, folder / "grip.mcap")
    assert check_motion(lissom, robot, "file", found, {"follow": ("grip", -0.5, 0.02)}) == "universe"
    meshes = (folder / "meshes").resolve()
    assert [m["data"] for m in found["/robot_description"]] == [
        GRIPPER.replace("'meshes/arm", f"'file://{meshes}/arm").replace('"meshes/', f'"file://{meshes}/')]
    assert found["attachments"] == {"gripper.urdf": ["application/xml", GRIPPER.encode().hex()],
                                    "meshes/arm & hand.stl": ["model/stl", TRIANGLE.hex()],
                                    "meshes/finger.stl": ["model/stl", TRIANGLE.hex()]}
    assert found["metadata"] == {"lissom.meshes_left_out": {"package://missing/hand.stl": "not found"}}
    return found


def check_switches(lissom, python, folder):
    robot, plain, some = folder / "gripper.urdf", folder / "plain.mcap", folder / "some.mcap"
    words = [lissom, "sim", robot, "--controller", "pd", "--v", "wrist=2,grip=0.3", *RUN, "--record"]
    assert run(*words, plain, "--record-ros", "none").stderr == ""
    assert read(python, plain)["topics"] == [] and set(read(python, plain)["attachments"]) == {"gripper.urdf"}
    run(*words, some, "--record-ros", "tf,description")
    assert read(python, some)["topics"] == ["/robot_description", "/tf"] and set(read(python, some)["attachments"]) == {"gripper.urdf"}
    wrong = subprocess.run([lissom, "sim", robot, "--record", folder / "x.mcap", "--record-ros", "tf,joints"], capture_output=True, text=True)
    assert wrong.returncode == 2 and "'joints', expected all, none, or some of" in wrong.stderr, wrong.stderr
    # The signals are the same; and a recording in another format becomes one for viewers.
    run(lissom, "compare", folder / "grip.mcap", plain, "--tolerance", 0)
    run(lissom, "convert", plain, folder / "run.npz")
    run(lissom, "convert", folder / "run.npz", folder / "again.mcap")
    run(lissom, "compare", folder / "grip.mcap", folder / "again.mcap", "--tolerance", 0)
    again, first = read(python, folder / "again.mcap"), read(python, folder / "grip.mcap")
    assert all(again[key] == first[key] for key in first if key != "chunks"), "other messages after conversion"
    run(lissom, "convert", folder / "run.npz", folder / "bare.mcap", "--record-ros", "none")
    assert read(python, folder / "bare.mcap")["topics"] == []


def rerun_in(directory):
    return python_with(directory, "rerun").parent / "rerun"


def check_rerun(rerun, folder, name, robot, found, visuals):
    """Rerun has all transforms, and shapes for the links of the description."""
    environment = {**os.environ, "HOME": str(folder), "NO_COLOR": "1"}
    run(rerun, "analytics", "disable", env=environment)
    table = run(rerun, "mcap", "check", folder / name, env=environment)
    assert not re.search(r"\b(error|fail)", table.stdout + table.stderr, re.I), table.stdout + table.stderr
    loaded = folder / (name + ".rrd")
    run(rerun, "mcap", "convert", folder / name, "-o", loaded, env=environment)
    printed = run(rerun, "rrd", "print", "-vvv", "--entity", "/tf", loaded, env=environment).stdout
    number = r"-?[0-9.]+(?:e-?[0-9]+)?"
    rows = re.findall(rf"\[(\w+)\]\s*┆\s*\[(\w+)\]\s*┆\s*\[\[({number}(?:, {number}){{3}})\]\]\s*┆\s*\[\[({number}(?:, {number}){{2}})\]\]", printed)
    expected = [t for message in found["/tf"] for t in message["transforms"]]
    assert len(rows) == len(expected), (len(rows), len(expected))
    for (child, parent, rotation, translation), t in zip(rows, expected):
        assert (child, parent) == (t["child"], t["parent"]), (child, parent, t)
        close([float(x) for x in translation.split(",")], t["p"], 1e-6)
        close([float(x) for x in rotation.split(",")], t["r"][1:] + t["r"][:1], 1e-6)
    everything = run(rerun, "rrd", "print", loaded, env=environment).stdout
    for link, shape in visuals.items():
        assert re.search(rf"/{robot}/visual_geometries/{link}/visual_0 - data columns: \[{shape}", everything), (link, shape)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for option in ("--lissom", "--venv"):
        parser.add_argument(option, required=True)
    parser.add_argument("--rerun")
    options = parser.parse_args()
    lissom, python = pathlib.Path(options.lissom).resolve(), python_with(options.venv, "mcap")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        free, grip = check_humanoid(lissom, python, folder), check_gripper(lissom, python, folder)
        check_switches(lissom, python, folder)
        print("all the same")
        if options.rerun:
            rerun = rerun_in(options.rerun)
            check_rerun(rerun, folder, "free.mcap", "humanoid", free, {"pelvis": "Boxes3D"})
            check_rerun(rerun, folder, "grip.mcap", "gripper", grip, {"arm": "Asset3D", "right": "Asset3D"})
            print("Rerun shows the robots")
    return 0


if __name__ == "__main__":
    sys.exit(main())
