"""A maximum that NaN cannot slip through: max(1, nan) is 1, so that an assertion "at most" on it passes.

tests/structure/nan_aware.py tells tests to use it.
"""
import math


def largest(*numbers):
    """The largest of some numbers, 0 if there are none; NaN if one of them is NaN."""
    return math.nan if any(math.isnan(x) for x in numbers) else max(numbers, default=0.0)
