#!/usr/bin/env python3
"""Expands xacro files with ROS's own program and with ours: elements, attributes, texts and comments are the same.

usage: other_xacro_test.py --tool XACRO_EXPAND --venv DIRECTORY        exit status 77: skipped, and why

ROS's program is installed as `xacro` from PyPI, into a virtual environment that the test makes once.
"""
import argparse
import difflib
import json
import pathlib
import subprocess
import sys
import xml.dom.minidom

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from other_packages import python_with  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TREES = HERE / "trees"
# Files, and arguments with which they are expanded besides.
FILES = {
    "trees/arm_description/urdf/arm.urdf.xacro": [
        [], ["prefix:=left_", "gripper:=0", "safety_limits:=false"], ["use_fake_hardware:=true", "mount_height:=0.5", "safety_pos_margin:=0.2"]],
    "trees/quadruped_description/xacro/robot.xacro": [[], ["DEBUG:=true", "payload:=2.5"], ["payload:=3"]],
    "trees/mobile_manipulator_description/urdf/mobile_manipulator.urdf.xacro": [
        [], ["prefix:=robot1_", "arms:=2"], ["arms:=0", "sensors:=false", "drive:=Mecanum"], ["mast_height:=1", "sensors:=1"]],
    "trees/upper_body_description/urdf/upper_body.urdf.xacro": [
        [], ["prefix:=r1_", "simulation:=none"], ["sides:=left", "hands:=false", "fixed_waist:=true"], ["sides:=", "head:=0", "simulation:="]],
    **{f"ours/{name}.urdf.xacro": [[]] for name in ("arm7", "humanoid", "planar3", "quadruped")},
    **{f"cases/{path.name}": [[]] for path in sorted((HERE / "cases").glob("*.xacro"))},
}

# Runs inside the virtual environment: expands files, and writes what became of them as JSON.
IN_XACRO = r"""
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
import xacro, xacro.substitution_args
asked = json.load(sys.stdin)
xacro.substitution_args._eval_find = lambda package: asked["trees"] + "/" + package  # instead of ROS's index of packages

def tree(node):
    if node.nodeType in (node.TEXT_NODE, node.CDATA_SECTION_NODE, node.COMMENT_NODE):
        return [node.nodeType, node.data]
    return [node.nodeType, node.tagName, sorted((name, str(value)) for name, value in node.attributes.items()), [tree(child) for child in node.childNodes]]

answers = []
for file, arguments in asked["files"]:
    try:
        with redirect_stderr(io.StringIO()), redirect_stdout(io.StringIO()):
            answers.append(tree(xacro.process_file(file, mappings=dict(each.split(":=") for each in arguments)).documentElement))
    except Exception as error:
        answers.append(str(error))
json.dump(answers, sys.stdout)
"""


def tree(node):
    if node.nodeType in (node.TEXT_NODE, node.CDATA_SECTION_NODE, node.COMMENT_NODE):
        return [node.nodeType, node.data]
    return [node.nodeType, node.tagName, sorted(node.attributes.items()), [tree(child) for child in node.childNodes]]


def lines(node, depth=0):
    """The tree, a line for each element, text and comment; blanks around texts depend on how the file is written."""
    if isinstance(node, str):
        return ["error: " + node]
    kind, value, *rest = node
    if not rest:
        return [f"{'  ' * depth}{kind} {value.strip()!r}"] if value.strip() else []
    attributes, children = rest
    if len(children) == 1 and children[0][0] == 3 and children[0][1].strip():  # a single text is written as it is
        return [f"{'  ' * depth}<{value} {[tuple(each) for each in attributes]}> {children[0][1]!r}"]
    return [f"{'  ' * depth}<{value} {[tuple(each) for each in attributes]}>"] + [line for child in children for line in lines(child, depth + 1)]


def ours(tool, file, arguments):
    done = subprocess.run([tool, file, *arguments], capture_output=True, text=True)
    if done.returncode:
        return done.stderr
    return tree(xml.dom.minidom.parseString(done.stdout).documentElement)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--venv", required=True)
    options = parser.parse_args()
    python = python_with(options.venv, "xacro")
    runs = [(str(HERE / file), arguments) for file, several in FILES.items() for arguments in several]
    answer = subprocess.run([python, "-c", IN_XACRO], input=json.dumps({"trees": str(TREES), "files": runs}), capture_output=True, text=True, check=True).stdout
    wrong = 0
    for (file, arguments), theirs in zip(runs, json.loads(answer), strict=True):
        name = " ".join([str(pathlib.Path(file).relative_to(HERE)), *arguments])
        expected, found = lines(theirs), lines(ours(options.tool, file, arguments))
        same = expected == found and not isinstance(theirs, str)
        print(f"{name}: {'same' if same else 'DIFFERENT'}, {len(expected)} elements and texts")
        if not same:
            wrong += 1
            print("\n".join(list(difflib.unified_diff(expected, found, "xacro", "lissom", lineterm="", n=1))[:60] or expected))
    print(f"{len(runs)} expansions, {wrong} different")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
