"""Plans of contacts: which limb of a robot touches where, and in which order, so that it gets from where it stands to a goal.

    robot, contacts, stance = lissom.load_standing_robot("robot.urdf")
    limbs = plan.limbs_of(contacts)
    problem = plan.PlanProblem(
        limbs=limbs, environment=plan.environment_of("stairs.json"), start=stance.q,
        standing=[limb.frame for limb in limbs if limb.foot], goal=plan.Goal(base=[2, 0, 0]))
    found = plan.find_plan(robot, problem)
    if found:
        plan.write_motion(robot, problem, found, "climb.json")
        report = lissom.control.run(robot, "climb.json", scene="stairs.json")
"""
from ._core.plan import *  # noqa: F401,F403
