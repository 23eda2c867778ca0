"""load() from paths of any kind and from robot_descriptions; how models show themselves in notebooks."""
import html.parser
import os
import pathlib
import sys
import textwrap
import threading
import time

import pytest

import lissom

MODELS = pathlib.Path(__file__).resolve().parents[2] / "models"


def test_paths_of_any_kind():
    file = MODELS / "arm7.urdf"
    for path in (file, str(file), str(file).encode()):
        assert lissom.load(path).nv == 7
    assert lissom.load(file, base="free").nv == 13 and lissom.load(file, package_paths=MODELS).nv == 7
    with pytest.raises(TypeError):
        lissom.load(3)
    with pytest.raises(TypeError):
        lissom.load(None)
    with pytest.raises(lissom.Error, match="nobody.urdf"):
        lissom.load(MODELS / "nobody.urdf")
    with pytest.raises(lissom.Error, match="base is 'flying', expected one of 'file', 'fixed', 'free', 'planar'"):
        lissom.load(file, base="flying")
    assert "robot_descriptions" in lissom.load.__doc__


@pytest.fixture
def descriptions(tmp_path, monkeypatch):
    """A package like robot_descriptions: a module for each robot, with its paths."""
    package = tmp_path / "robot_descriptions"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "arm7_description.py").write_text(textwrap.dedent(f"""
        REPOSITORY_PATH = {str(tmp_path / 'repository')!r}
        PACKAGE_PATH = {str(tmp_path / 'repository' / 'arm7_package')!r}
        URDF_PATH = {str(tmp_path / 'repository' / 'arm7_package' / 'arm7.urdf')!r}
        """))
    (package / "only_mj_description.py").write_text(f"MJCF_PATH = {str(tmp_path / 'robot.xml')!r}")
    (tmp_path / "robot.xml").write_text('<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>')
    (package / "only_sdf_description.py").write_text(f"SDF_PATH = {str(tmp_path / 'robot.sdf')!r}")
    lissom.write(MODELS / "arm7.urdf", tmp_path / "robot.sdf")
    xacro = MODELS.parent / "tests" / "io" / "xacro" / "trees" / "arm_description" / "urdf" / "arm.urdf.xacro"
    (package / "macros_description.py").write_text(f"XACRO_PATH = {str(xacro)!r}\nXACRO_ARGS = {{'gripper': 'false', 'prefix': 'left_'}}")
    (package / "both_description.py").write_text(f"URDF_PATH = {str(MODELS / 'planar2.urdf')!r}")
    (package / "both_mj_description.py").write_text(f"MJCF_PATH = {str(tmp_path / 'robot.xml')!r}")
    (package / "loaders.py").write_text("")
    (package / "empty_description.py").write_text("")
    (package / "broken_description.py").write_text("import a_module_that_nobody_has")
    folder = tmp_path / "repository" / "arm7_package"
    (folder / "meshes").mkdir(parents=True)
    (folder / "meshes" / "part.stl").write_bytes(b"\0" * 84)
    text = (MODELS / "arm7.urdf").read_text()
    mesh = '<visual><geometry><mesh filename="package://arm7_package/meshes/part.stl"/></geometry></visual></link>'
    (folder / "arm7.urdf").write_text(text.replace("</link>", mesh, 1))
    monkeypatch.syspath_prepend(tmp_path)
    forget()
    yield folder
    forget()


def forget():
    for name in [name for name in sys.modules if name.split(".")[0] == "robot_descriptions"]:
        del sys.modules[name]


def test_robot_descriptions(descriptions):
    robot = lissom.load("robot_descriptions:arm7_description", find_meshes=True)
    assert robot.nv == 7
    paths = [v.shape.path for link in robot.description.links for v in link.visuals if v.shape.kind == "mesh"]
    assert str(descriptions / "meshes" / "part.stl") in [str(pathlib.Path(p)) for p in paths]
    assert lissom.load("robot_descriptions:arm7_description", base="free").nv == 13
    assert lissom.load("robot_descriptions:only_mj_description").nv == 1
    assert lissom.load("robot_descriptions:only_sdf_description").nv == 7
    with pytest.raises(lissom.Error, match="robot_descriptions.empty_description names no file"):
        lissom.load("robot_descriptions:empty_description")
    with pytest.raises(lissom.Error, match="has no 'nobody_description'"):
        lissom.load("robot_descriptions:nobody_description")
    with pytest.raises(ModuleNotFoundError, match="a_module_that_nobody_has"):
        lissom.load("robot_descriptions:broken_description")
    with pytest.raises(lissom.Error, match="robot_descriptions:panda"):
        lissom.load("robot_descriptions:../etc")


def test_robots_of_robot_descriptions(descriptions):
    assert lissom.load("robot_descriptions:arm7").nv == 7
    assert lissom.load("robot_descriptions:only").nv == 1  # only_mj_description
    assert lissom.load("robot_descriptions:both").nv == 2 and lissom.load("robot_descriptions:both_mj").nv == 1
    for name in ("nobody", "loaders"):
        with pytest.raises(lissom.Error, match=f"no '{name}', '{name}_description' or '{name}_mj_description'"):
            lissom.load("robot_descriptions:" + name)


def test_xacro_of_robot_descriptions(descriptions):
    robot = lissom.load("robot_descriptions:macros")
    assert all(joint.name.startswith("left_") for joint in robot.joints)
    other = lissom.load("robot_descriptions:macros", xacro={"gripper": True})  # replaces that of the description, the prefix stays
    assert other.nv == robot.nv + 1 and all(joint.name.startswith("left_") for joint in other.joints)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")
@pytest.mark.parametrize("load", [lissom.load, lambda path: lissom.build(lissom.read(path)[0])])
def test_others_go_on_while_a_robot_is_read(tmp_path, load):
    """A thread of this program may be the one that writes the pipe from which the robot is read."""
    pipe = tmp_path / "robot.urdf"
    os.mkfifo(pipe)
    text = (MODELS / "planar2.urdf").read_text()

    def write():
        with open(pipe, "w") as file:
            for part in (text[:100], text[100:]):
                file.write(part)
                file.flush()
                time.sleep(0.05)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    assert load(pipe).nv == 2
    writer.join(10)
    assert not writer.is_alive()


def test_packages_of_other_repositories(descriptions, tmp_path):
    """A xacro file may include files of packages that robot_descriptions has fetched elsewhere."""
    parts = tmp_path / "elsewhere" / "arm_parts"
    parts.mkdir(parents=True)
    (parts / "link.xacro").write_text('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="forearm"/></robot>')
    main = tmp_path / "repository" / "arm.urdf.xacro"
    main.write_text('<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="$(find arm_parts)/link.xacro"/></robot>')
    module = tmp_path / "robot_descriptions" / "spread_description.py"
    module.write_text(f"XACRO_PATH = {str(main)!r}\nXACRO_PACKAGE_PATHS = {{'arm_parts': {str(parts)!r}}}")
    assert [link.name for link in lissom.load("robot_descriptions:spread").links] == ["forearm"]
    module.write_text(f"XACRO_PATH = {str(main)!r}")
    forget()
    with pytest.raises(lissom.Error, match="there is no package 'arm_parts'"):
        lissom.load("robot_descriptions:spread")


def test_without_robot_descriptions(monkeypatch):
    forget()
    monkeypatch.setitem(sys.modules, "robot_descriptions", None)  # as if it were not installed
    with pytest.raises(lissom.Error, match="pip install robot_descriptions"):
        lissom.load("robot_descriptions:panda_description")


class Cells(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.open, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def test_a_table_for_notebooks():
    robot = lissom.load(MODELS / "mechanisms/gripper_mimic.urdf", base="free")
    page = Cells()
    page.feed(robot._repr_html_())
    assert not page.open and page.tags.count("tr") == 1 + sum(j.type != "fixed" for j in robot.joints)
    assert "q[0:7]" in page.text and "free" in page.text
    follower = next(j for j in robot.joints if j.follows)
    leader = robot.joints[int(follower.follows[0])]
    assert any(leader.name in text and "·" in text for text in page.text)


def test_names_are_escaped():
    name = "<b>&\"'"
    text = '''<robot name="&lt;b&gt;&amp;&quot;'"><link name="a"/><link name="&lt;b&gt;&amp;&quot;'"><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="&lt;script&gt;" type="revolute"><parent link="a"/><child link="&lt;b&gt;&amp;&quot;'"/><limit lower="-1" upper="2" effort="1" velocity="1"/></joint></robot>'''
    robot = lissom.load_text(text)
    page = Cells()
    page.feed(robot._repr_html_())
    assert page.tags.count("b") == 1 and "script" not in page.tags and not page.open
    shown = "".join(page.text)
    assert name in shown and "<script>" in shown and "-1 … 2" in shown


def test_arguments_of_xacro():
    trees = MODELS.parent / "tests" / "io" / "xacro"
    file = trees / "trees" / "arm_description" / "urdf" / "arm.urdf.xacro"
    with_gripper, without = lissom.load(file), lissom.load(file, xacro={"gripper": False, "prefix": "left_", "mount_height": 0.5})
    assert with_gripper.nv == without.nv + 1  # the second finger mimics the first
    assert all(joint.name.startswith("left_") for joint in without.joints)
    description, found = lissom.read(file, package_paths=[trees], xacro={"gripper": "0"})
    assert len(description.joints) == len(without.joints) and not any(d.severity == "error" for d in found)
    text = (trees / "ours" / "planar3.urdf.xacro").read_text()
    assert lissom.load_text(text, xacro={"links": "2"}).nv == 2
    with pytest.raises(lissom.Error, match="xacro-condition"):
        lissom.load(file, xacro={"gripper": "perhaps"})
