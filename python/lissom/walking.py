"""Walking, trotting, and steps that recover from pushes, for any robot with feet.

    robot, contacts, stance = lissom.load_standing_robot("robot.urdf")
    report = walking.run(robot, stance.q, contacts, speed=0.3, pushes=[("chest", [120, 0, 0], 2, 2.1)], record="walk.mcap")

`run` walks on a simulated robot and reports how it went; a `Walker` gives torques tick by tick.
"""
from ._core.walking import *  # noqa: F401,F403
