"""Removes from URDF files what the equations of motion do not need, so that MuJoCo can read them: shapes, meshes, damping.

usage: strip_urdf.py FOLDER BASE:NAME:FILE …        prints BASE:NAME:FOLDER/NAME.urdf for each

MuJoCo fixes the root link of a URDF to the world; with BASE `free` a floating joint is inserted between them.
"""
import sys
import xml.etree.ElementTree as ElementTree


def stripped(robot, base):
    for link in robot.findall("link"):
        for child in [c for c in link if c.tag != "inertial"]:
            link.remove(child)
    for joint in robot.findall("joint"):
        for child in [c for c in joint if c.tag in ("dynamics", "mimic", "calibration", "safety_controller")]:
            if child.tag == "mimic":
                sys.exit(f"mujoco: joint '{joint.get('name')}' is a mimic joint, which MuJoCo models as a constraint")
            joint.remove(child)
    for child in [c for c in robot if c.tag not in ("link", "joint")]:
        robot.remove(child)
    # Massless links between joints are valid, but MuJoCo needs a small mass in each.
    extension = ElementTree.SubElement(robot, "mujoco")
    ElementTree.SubElement(extension, "compiler", fusestatic="true", discardvisual="true", balanceinertia="true",
                           boundmass="1e-9", boundinertia="1e-12")
    if base == "free":
        children = {joint.find("child").get("link") for joint in robot.findall("joint")}
        root = next(link.get("name") for link in robot.findall("link") if link.get("name") not in children)
        ElementTree.SubElement(robot, "link", name="world_of_bench")
        joint = ElementTree.SubElement(robot, "joint", name="base_of_bench", type="floating")
        ElementTree.SubElement(joint, "parent", link="world_of_bench")
        ElementTree.SubElement(joint, "child", link=root)
    return robot


folder = sys.argv[1]
for spec in sys.argv[2:]:
    base, name, file = spec.split(":", 2)
    robot = stripped(ElementTree.parse(file).getroot(), base)
    ElementTree.ElementTree(robot).write(f"{folder}/{name}.urdf")
    print(f"{base}:{name}:{folder}/{name}.urdf")
