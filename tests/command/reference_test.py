#!/usr/bin/env python3
"""Compares `lissom eval` with reference results of other engines, by $LISSOM_SHARED/tools/check_reference, or ../shared beside the
repository. If they are not available, it prints so and exits with status 77 (skipped)."""
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
    print("skipped: no reference results found; set LISSOM_SHARED to the folder that contains tools/check_reference")
    sys.exit(77)
# MJCF has a test of its own, io/mjcf_reference_test.py, because elements without a name need one first.
failed = False
for kind in ("urdf", "sdf"):
    print(f"{kind}:", flush=True)
    failed |= subprocess.run([sys.executable, str(tool), str(lissom), "--format", kind]).returncode != 0
sys.exit(failed)
