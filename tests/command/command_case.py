"""Shared by the tests of the command line.

A test is a program: SCRIPT --lissom COMMAND [CASE | CASE.test …]
"""
import pathlib
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from largest import largest  # noqa: E402, F401

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = ROOT / "models"
HUMANOID = str(MODELS / "humanoid.urdf")
GRIPPER = str(MODELS / "mechanisms" / "gripper_mimic.urdf")
MALFORMED = ROOT / "tests" / "io" / "malformed"


def chain(count):
    """The URDF of a chain of so many links, each hinged to the one before."""
    links = "".join(f'<link name="link{i}"><inertial><origin xyz="0 0 -0.05"/><mass value="1"/>'
                    f'<inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>' for i in range(count + 1))
    joints = "".join(f'<joint name="joint{i}" type="continuous"><parent link="link{i - 1}"/><child link="link{i}"/>'
                     f'<origin xyz="0 0 -0.1"/><axis xyz="{i % 2} {1 - i % 2} 0"/></joint>' for i in range(1, count + 1))
    return f'<robot name="chain">{links}{joints}</robot>'


class CommandCase(unittest.TestCase):
    lissom = "lissom"

    def run_lissom(self, *arguments, text=None):
        return subprocess.run([self.lissom, *map(str, arguments)], input=text, capture_output=True, text=True, timeout=300)

    def good(self, *arguments, text=None):
        """Returns the standard output of a run that must succeed and write nothing to standard error."""
        ran = self.run_lissom(*arguments, text=text)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), f"lissom {' '.join(map(str, arguments))}\n{ran.stdout}")
        return ran.stdout

    def refused(self, *arguments, naming, text=None):
        """Runs lissom; it must exit with 2, print nothing to standard output, and name the wrong argument on standard error."""
        ran = self.run_lissom(*arguments, text=text)
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), f"lissom {' '.join(map(str, arguments))}\n{ran.stderr}")
        for name in [naming] if isinstance(naming, str) else naming:
            self.assertIn(name, ran.stderr)
        self.assertNotIn("terminate called", ran.stderr)
        return ran.stderr


def main():
    if "--lissom" in sys.argv:
        at = sys.argv.index("--lissom")
        CommandCase.lissom = str(pathlib.Path(sys.argv[at + 1]).resolve())
        del sys.argv[at:at + 2]
    result = unittest.main(exit=False).result
    if not result.wasSuccessful():
        sys.exit(1)
    for test, reason in result.skipped:
        print(f"skipped {test}: {reason}")
    sys.exit(77 if result.skipped else 0)  # ctest lists it as skipped
