#!/usr/bin/env python3
"""Run `lissom eval` against reference vectors of other engines: $LISSOM_SHARED/tools/check_reference, or ../shared beside the
repository. Exit status 77, and a line that says so, where they are not there."""
import argparse
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--lissom", required=True)
lissom = pathlib.Path(parser.parse_args().lissom).resolve()

tool = pathlib.Path(os.environ.get("LISSOM_SHARED", ROOT.parent / "shared")) / "tools" / "check_reference"
if not tool.exists():
    print("skipped: no reference vectors here; LISSOM_SHARED names the folder that has tools/check_reference")
    sys.exit(77)
sys.exit(subprocess.run([sys.executable, str(tool), str(lissom), "--format", "urdf"]).returncode)
