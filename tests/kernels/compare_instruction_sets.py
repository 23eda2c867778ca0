"""Runs `lissom eval` with the kernels of every instruction set (LISSOM_MAX_ISA in the environment) and compares the numbers."""
import argparse
import json
import os
import random
import subprocess
import sys

TOLERANCE = 1e-9  # relative to the largest number of the same kind


def evaluate(command, model, base, states, instruction_set):
    environment = dict(os.environ, LISSOM_MAX_ISA=instruction_set)
    run = subprocess.run([command, "eval", model, "--base", base, "--states", "-"], input=json.dumps(states), env=environment,
                         capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{model} with {instruction_set}: {run.stderr}")
    return json.loads(run.stdout)


def check_unknown_set(command, model):
    run = subprocess.run([command, "eval", model, "--states", "-"], input='{"states": [{}]}', env=dict(os.environ, LISSOM_MAX_ISA="avx3"),
                         capture_output=True, text=True)
    if run.returncode != 2 or "LISSOM_MAX_ISA is 'avx3'" not in run.stderr:
        sys.exit(f"LISSOM_MAX_ISA=avx3: exit status {run.returncode}, {run.stderr or 'no message'}")


def numbers(value):
    if isinstance(value, dict):
        return [x for v in value.values() for x in numbers(v)]
    if isinstance(value, list):
        return [x for v in value for x in numbers(v)]
    return [value] if isinstance(value, (int, float)) else []


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lissom", required=True)
    parser.add_argument("--models", required=True)
    arguments = parser.parse_args()
    check_unknown_set(arguments.lissom, os.path.join(arguments.models, "arm7.urdf"))
    draw = random.Random(1)
    worst, compared = 0.0, 0
    for name, base in (("humanoid.urdf", "free"), ("quadruped.urdf", "free"), ("arm7.urdf", "fixed"), ("planar2.urdf", "planar")):
        model = os.path.join(arguments.models, name)
        joints = evaluate(arguments.lissom, model, base, {"states": [{}]}, "baseline")["joints"]
        states = []
        for _ in range(5):
            one = {j["name"]: [draw.uniform(-1, 1)] for j in joints if j["nq"] == 1}
            rates = {j["name"]: [draw.uniform(-1, 1) for _ in range(j["nv"])] for j in joints if j["nv"] > 0}
            states.append({"q": one, "v": rates, "a": rates, "tau": rates})
        results = {s: evaluate(arguments.lissom, model, base, {"states": states}, s)["results"]
                   for s in ("baseline", "avx2", "avx512")}
        for other in ("avx2", "avx512"):
            for a, b in zip(results["baseline"], results[other]):
                for key in a:
                    x, y = numbers(a[key]), numbers(b[key])
                    if len(x) != len(y):
                        sys.exit(f"{name}: {key} has {len(x)} numbers with baseline, {len(y)} with {other}")
                    size = max([1.0] + [abs(v) for v in x])
                    off = max((abs(v - w) / size for v, w in zip(x, y)), default=0.0)
                    worst, compared = max(worst, off), compared + len(x)
                    if not off <= TOLERANCE:
                        sys.exit(f"{name}: {key} differs by {off:g} between baseline and {other}")
    print(f"{compared} numbers, largest relative difference {worst:.2g}")


if __name__ == "__main__":
    main()
