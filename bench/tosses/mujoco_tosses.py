#!/usr/bin/env python3
"""The measured tosses of bench --tosses, simulated by MuJoCo: the same calibrated cube, starts, steps and errors as
lissom/benchmarks/tosses.cpp. A rounded cube meets a plane at its eight corners only, so it is eight spheres; without
rounding it is MuJoCo's box.

usage: mujoco_tosses.py DIR [--box] [--fit ROUNDS] [--ours FILE]      needs the Python packages mujoco, numpy and scipy

--fit fits the parameters below, by the simplex method, to the mean error in mm plus that in degrees.
--ours compares toss by toss with a file of lines "toss,mm,degrees" (fit_tosses DIR 0 --each).
"""
import argparse
import csv
import gzip
import pathlib

import mujoco
import numpy as np

MASS, INERTIA, COM, HALF, GRAVITY, STEPS = .37, 8.1e-4, (0, .2e-3, 5.1e-3), 51.3e-3, 9.60, 7
# solimp = 1 - first softness, 1 - last softness, width
NAMES = ("friction", "time constant", "damping ratio", "first softness", "last softness", "width", "rounding")
# Fitted by --fit to the 285 tosses.
ROUNDED = (.18, .006, .45, .3, .05, .001, 4.9e-3)
BOX = (.18, .006, .45, .3, .05, .001, 0)


def model(parameters):
    friction, time_constant, damping, first, last, width, rounding = parameters
    contact = f'friction="{friction} 0 0" solref="{time_constant} {damping}" solimp="{1 - first} {1 - last} {width} .5 2" condim="3"'
    h = HALF - rounding
    if rounding > 0:
        shapes = "".join(f'<geom type="sphere" size="{rounding}" pos="{x} {y} {z}" {contact} mass="0"/>'
                         for x in (-h, h) for y in (-h, h) for z in (-h, h))
    else:
        shapes = f'<geom type="box" size="{HALF} {HALF} {HALF}" {contact} mass="0"/>'
    return mujoco.MjModel.from_xml_string(f"""<mujoco><option gravity="0 0 {-GRAVITY}" cone="elliptic" impratio="1"/>
      <worldbody><geom type="plane" size="0 0 1" {contact}/>
      <body><freejoint/><inertial pos="{COM[0]} {COM[1]} {COM[2]}" mass="{MASS}" diaginertia="{INERTIA} {INERTIA} {INERTIA}"/>
      {shapes}</body></worldbody></mujoco>""")


def read(folder):
    """{name: (times, positions, quaternions, start)}"""
    with gzip.open(folder / "tosses.csv.gz", "rt") as file:
        rows = list(csv.DictReader(file))
    number = lambda row, names: [float(row[name]) for name in names.split()]
    tosses = {}
    for row in rows:
        tosses.setdefault(row["toss"], []).append(number(row, "t x y z qw qx qy qz"))
    with open(folder / "starts.csv") as file:
        starts = {row["toss"]: number(row, "x y z qw qx qy qz vx vy vz wx wy wz") for row in csv.DictReader(file)}
    return {name: (np.array(frames), np.array(starts[name])) for name, frames in tosses.items()}


def error_of(m, d, frames, start):
    """Mean distance in mm and mean angle in degrees."""
    mujoco.mj_resetData(m, d)
    d.qpos[:], d.qvel[:] = start[:7], start[7:]  # a free joint has v along the world's axes and w along the body's
    d.qpos[3:7] /= np.linalg.norm(d.qpos[3:7])
    poses = np.empty((len(frames), 7))
    m.opt.timestep = np.diff(frames[:, 0]).mean() / STEPS
    for k in range(len(frames)):
        if k:
            mujoco.mj_step(m, d, nstep=STEPS)
        poses[k] = d.qpos
    distance = np.linalg.norm(poses[:, :3] - frames[:, 1:4], axis=1)
    cosine = np.abs(np.sum(poses[:, 3:] * frames[:, 4:], axis=1)) / np.linalg.norm(frames[:, 4:], axis=1)
    return 1e3 * distance.mean(), np.degrees(2 * np.arccos(np.clip(cosine, 0, 1))).mean()


def errors(tosses, parameters):
    m = model(parameters)
    d = mujoco.MjData(m)
    return np.array([error_of(m, d, *toss) for toss in tosses.values()])


def fit(tosses, start, rounds):
    from scipy.optimize import minimize
    start = np.array(start)
    moves = start > 0
    count = 0

    def at(x):
        parameters = start.copy()
        parameters[moves] *= np.exp(x)
        return parameters

    def cost(x):
        nonlocal count
        count += 1
        if max(at(x)[3:5]) > .9:
            return 1e9
        try:
            mean = errors(tosses, at(x)).mean(axis=0)
        except ValueError:  # parameters that MuJoCo refuses
            return 1e9
        if count % 10 == 1:
            print(count, dict(zip(NAMES, np.round(at(x), 5))), mean, flush=True)
        return mean.sum() if np.isfinite(mean).all() else 1e9

    n = int(moves.sum())
    simplex = np.vstack([np.zeros(n), .3 * np.eye(n)])
    found = minimize(cost, np.zeros(n), method="Nelder-Mead", options={"maxfev": rounds, "initial_simplex": simplex})
    return at(found.x)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--box", action="store_true", help="sharp edges")
    parser.add_argument("--fit", type=int, default=0, metavar="ROUNDS")
    parser.add_argument("--ours", type=pathlib.Path, metavar="FILE")
    options = parser.parse_args()
    tosses = read(options.folder)
    parameters = BOX if options.box else ROUNDED
    if options.fit:
        parameters = fit(tosses, parameters, options.fit)
    theirs = errors(tosses, parameters)
    print(f"MuJoCo {mujoco.__version__}, {len(tosses)} tosses:", *theirs.mean(axis=0).round(3), "mm, degrees")
    print("  " + ", ".join(f"{name} {value:.5g}" for name, value in zip(NAMES, parameters)))
    if options.ours:
        with open(options.ours) as file:
            lines = {row["toss"]: (float(row["mm"]), float(row["degrees"])) for row in csv.DictReader(file)}
        ours = np.array([lines[name] for name in tosses])
        better = theirs - ours
        deviation = better.std(axis=0, ddof=1) / np.sqrt(len(better))
        for k, unit in enumerate(("mm", "degrees")):
            print(f"  paired: ours {ours[:, k].mean():.3f}, better by {better[:, k].mean():.3f} ± {deviation[k]:.3f} {unit}"
                  f" (standard error), in {np.mean(better[:, k] > 0):.0%} of the tosses")


if __name__ == "__main__":
    main()
