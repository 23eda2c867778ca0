#!/usr/bin/env python3
"""How large a push does a standing humanoid take? Each seed draws a push: its size, its direction and the link it acts on.

usage: pushed_humanoid_sweep.py [--seeds 20] [--engine local|ray] [--workers N] [--checkpoint DIR] [--out pushes.npz]
                                [--robot FILE] [--plot pushes.png]

It prints the share of pushes after which the robot still stands, by the size of the push, writes all cases to a table,
and draws them if matplotlib is installed. 1,000 seeds take a few minutes on two processors: --seeds 1000 --checkpoint pushes
can be interrupted, and continued by the same command.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys

import lissom
import numpy as np
from lissom.sweep import combine, grid, seeds, sweep
from lissom.sweep.command import program

FROM, UNTIL = 0.5, 0.6  # when the push acts, in seconds
SIZES = np.arange(50, 451, 50)  # of the classes in the report, in N


def push(robot, seed, size, direction, link):
    """Simulates the robot with its controller: it stands for 5 s, and is pushed horizontally for a tenth of a second."""
    force = f"{size * math.cos(direction):.6g},{size * math.sin(direction):.6g},0"
    ran = subprocess.run([program("lissom"), "control", robot, "--motion", "stand", "--push", f"{force}@{link}@{FROM}:{UNTIL}", "--seed", str(seed),
                          "--json", "--quiet"], capture_output=True, text=True)
    if ran.returncode not in (0, 1):  # 1: it fell, which is a result
        raise RuntimeError(ran.stderr)
    report = json.loads(ran.stdout)
    return {"stays_up": report["succeeded"], "failure": report["failure"], "seconds": report["seconds"], "max_com_error": report["max_com_error"]}


def default_robot():
    """The model that comes with the package, or with the sources."""
    folders = [getattr(lissom, "models", None), pathlib.Path(__file__).resolve().parents[2] / "models"]
    return next((str(pathlib.Path(f) / "humanoid.urdf") for f in folders if f and (pathlib.Path(f) / "humanoid.urdf").exists()), None)


def report(table):
    print("push in N     pushes   stays up")
    for low, high in zip(SIZES[:-1], SIZES[1:]):
        here = (table["size"] >= low) & (table["size"] < high) & (table["stays_up"] != None)  # noqa: E711: elementwise
        if here.any():
            up = table["stays_up"][here].astype(float).mean()
            print(f"{low:4} … {high:4}   {here.sum():6}     {100 * up:5.0f} %  {'#' * round(20 * up)}")


def draw(table, path):
    try:
        import matplotlib
    except ImportError:
        print(f"no {path}: it needs matplotlib; pip install matplotlib", file=sys.stderr)
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(subplot_kw={"projection": "polar"}, figsize=(6, 6))
    for up, color, label in ((True, "tab:blue", "stays up"), (False, "tab:red", "falls or slips")):
        here = table["stays_up"] == up
        axes.scatter(table["direction"][here], table["size"][here], s=12, c=color, label=label)
    axes.set_title("pushes of 0.1 s: direction (0° is forward) and size in N")
    axes.legend(loc="lower left")
    figure.savefig(path, dpi=120)
    print(f"plot       {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--engine", choices=("local", "ray"), default="local")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--checkpoint")
    parser.add_argument("--out", default="pushes.npz")
    parser.add_argument("--robot", default=default_robot())
    parser.add_argument("--plot", default="pushes.png")
    o = parser.parse_args()
    pushes = seeds(o.seeds, size={"uniform": [float(SIZES[0]), float(SIZES[-1])]}, direction={"uniform": [-math.pi, math.pi]},
                   link={"choice": ["chest", "pelvis"]})
    result = sweep(push, combine(grid(robot=[o.robot]), pushes), engine=o.engine, workers=o.workers, checkpoint=o.checkpoint)
    print(result)
    report(result.table)
    result.save(o.out)
    print(f"table      {o.out}")
    draw(result.table, o.plot)
    return 1 if result.failed else 0


if __name__ == "__main__":
    sys.exit(main())
