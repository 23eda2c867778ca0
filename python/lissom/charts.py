"""Charts of SO(3): coordinates of a rotation, with their derivatives and constraints (docs/formulations.md).

    lissom.chart("quaternion").coordinates(R)
    lissom.charts.names()                      # 'euler-xyz', …, 'quaternion', 'exponential', …

A Python function is a chart, too: from R = rho(theta) alone, everything else follows by dual numbers. It takes an array of
floats or of dual numbers (Dual, Dual2), and computes with + - * / ** and NumPy's functions.

    def rho(s):                                # modified Rodrigues parameters
        S = np.array([[0, -s[2], s[1]], [s[2], 0, -s[0]], [-s[1], s[0], 0]])
        return np.eye(3) + (4 * (1 - s @ s) * S + 8 * S @ S) / (1 + s @ s)**2

    mrp = lissom.custom_chart("mrp", 3, rho)
    mrp.rate_map(theta)                        # J with ω = J θ̇
    lissom.formulations.Charted(robot, {"base": mrp})
"""
from ._core import Chart, Dual, Dual2, chart, custom_chart
from ._core import chart_names as names

__all__ = ["Chart", "Dual", "Dual2", "chart", "custom_chart", "names"]
