#!/usr/bin/env python3
"""A run goes into a file and comes back as a pandas table.

usage: recording.py [FILE.mcap] [--plot FILE.png]      needs pandas
"""

import argparse
import pathlib
import tempfile

import numpy as np

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("file", nargs="?", help="a recording; without it, one is made")
parser.add_argument("--plot", metavar="FILE")
arguments = parser.parse_args()

if arguments.file:
    run = lissom.read_recording(arguments.file)
else:
    robot = lissom.load(lissom.models / "arm7.urdf")
    run = lissom.simulate(robot, controller="computed_torque", posture=robot.random_configuration(3), seconds=2)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "run.mcap"
        run.save(file)
        again = lissom.read_recording(file)
    assert np.array_equal(again["q"], run["q"]), "a recording comes back bit for bit"
    run = again

print(run)
table = run.to_pandas()
print(table.iloc[:: max(1, len(table) // 5), :4])
speeds = table[[column for column in table.columns if column.startswith("v.")]].abs()
print("largest speeds:")
print(speeds.max().sort_values(ascending=False).head(3).to_string())

if arguments.plot:
    import matplotlib.pyplot as plt

    axes = table[[column for column in table.columns if column.startswith("q.")]].plot(figsize=(7, 4))
    axes.set(xlabel="time (s)", ylabel="q (rad, m)")
    plt.tight_layout()
    plt.savefig(arguments.plot)
