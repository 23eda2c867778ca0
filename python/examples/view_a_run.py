#!/usr/bin/env python3
"""An arm moves with two controllers; both runs go into one page, which any browser opens.

usage: view_a_run.py [--save FILE.html] [--show]
"""

import argparse
import os

import lissom

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--save", metavar="FILE", default="arm.html", help="where the page is written (default: arm.html)")
parser.add_argument("--show", action="store_true", help="also show it in a browser, until Ctrl-C")
arguments = parser.parse_args()

robot = lissom.load(lissom.models / "arm7.urdf")
goal = robot.random_configuration(3)
runs = {name: lissom.simulate(robot, controller=name, posture=goal, move_seconds=1, seconds=2) for name in ("pd", "computed_torque")}

with lissom.view(runs, browser=arguments.show) as page:
    page.save(arguments.save)
    print(f"saved {arguments.save} ({os.path.getsize(arguments.save) / 1e6:.1f} MB)")
    if arguments.show:
        print(page.address)
        page.wait()
