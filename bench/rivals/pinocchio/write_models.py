"""Converts URDF models to Pinocchio's text serialization, so that the benchmark needs no URDF parser.

usage: write_models.py FOLDER BASE:NAME:FILE …        prints BASE:NAME:FOLDER/NAME.txt for each
"""
import sys

import pinocchio

folder = sys.argv[1]
for robot in sys.argv[2:]:
    base, name, file = robot.split(":", 2)
    root = [pinocchio.JointModelFreeFlyer()] if base == "free" else []
    model = pinocchio.buildModelFromUrdf(file, *root)
    model.saveToText(f"{folder}/{name}.txt")
    print(f"{base}:{name}:{folder}/{name}.txt")
