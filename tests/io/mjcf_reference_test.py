#!/usr/bin/env python3
"""Compares `lissom eval` with reference results of MuJoCo for MJCF files, by $LISSOM_SHARED/tools/check_reference, or ../shared beside
the repository. If they are not available, it prints so and exits with status 77 (skipped).

usage: mjcf_reference_test.py --lissom COMMAND

The reference calls every element without a name 'emsc'. Here such elements get lissom's names, by their order, before the
comparison. Robots whose masses depend on meshes that are not beside them cannot be compared: lissom must refuse them, and say so.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNNAMED = "emsc"
# Spatial tendons have no inertia in lissom; that of these files adds so much to M, relative to its largest element.
WITH_TENDON_ARMATURE = {"mj_testmodel.asis": 1e-4}

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--lissom", required=True)
lissom = pathlib.Path(parser.parse_args().lissom).resolve()
shared = pathlib.Path(os.environ.get("LISSOM_SHARED", ROOT.parent / "shared"))
tool = shared / "tools" / "check_reference"
if not tool.exists():
    print("skipped: no reference results found; set LISSOM_SHARED to the folder that contains tools/check_reference")
    sys.exit(77)


def renamed(reference, info):
    """The reference with lissom's names for elements without one."""
    moving = [j["name"] for j in info["joints"] if j["nv"] > 0]
    between = {j["child"] for j in info["joints"]} - {f["name"] for f in info["frames"]}
    links = [link["name"] for link in info["links"] if link["name"] != "world" and link["name"] not in between
             and not any(link["name"].endswith("/" + j) for j in moving)]
    assert len(moving) == len(reference["joints"]) and len(links) == len(reference["links"]), "another number of joints or links"
    for names, entries in ((moving, reference["joints"]), (links, reference["links"])):
        for name, entry in zip(names, entries):
            assert entry["name"] in (name, UNNAMED), f"{entry['name']} is called {name}"
            entry["name"] = name
    return reference


failed = compared = refused = 0
with tempfile.TemporaryDirectory() as folder:
    for path in sorted((shared / "reference" / "vectors").glob("mj_*.asis.json")):
        reference = json.loads(path.read_text())
        file = shared / "corpus" / reference["file"]
        ran = subprocess.run([lissom, "info", file, "--json"], capture_output=True, text=True)
        if ran.returncode:
            said = "mesh-mass" in ran.stderr
            failed += not said
            refused += said
            print(path.stem, "is refused: masses depend on missing meshes" if said else ran.stderr)
            continue
        vectors = pathlib.Path(folder) / str(WITH_TENDON_ARMATURE.get(path.stem, 1e-8))
        vectors.mkdir(exist_ok=True)
        (vectors / path.name).write_text(json.dumps(renamed(reference, json.loads(ran.stdout))))
        compared += 1
    for vectors in sorted(pathlib.Path(folder).iterdir()):
        print(f"to {vectors.name}:", flush=True)
        ran = subprocess.run([sys.executable, str(tool), str(lissom), "--format", "mjcf", "--vectors", str(vectors),
                              "--corpus", str(shared / "corpus"), "--tol", vectors.name])
        failed += ran.returncode != 0
print(f"{compared} files compared, {refused} refused for want of meshes")
sys.exit(1 if failed or compared < 15 else 0)
