"""Writes Pinocchio's own text form of URDF models, which needs none of its readers to be read again.

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
