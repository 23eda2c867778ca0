"""The patterns of nan_aware.py, put to what has to be found and what may stay; and largest.py itself."""
import math
import pathlib
import sys
import unittest

from nan_aware import CPP, PYTHON, findings, patterns_of, tested

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from largest import largest  # noqa: E402


class NanAware(unittest.TestCase):
    def test_found(self):
        for line in ("worst = std::max(worst, x);", "    errors[i] = std::max(errors[i], x);", "r.most = std::max(r.most, x);", "least = std::min(least, x);",
                     "EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1);", "x.lpNorm<Eigen::Infinity>()", "x.minCoeff()", "std::max({std::abs(x), std::abs(y)})"):
            self.assertEqual(len(list(findings(line, CPP))), 1, line)
        for line in ("worst = max(worst, x)", 'errors["M"] = max(errors["M"], x)', "self.assertLess(max(abs(x) for x in a), 1)", "self.assertLessEqual(max(a), 1)", "errors[k] = max(errors.get(k, 0), x)", "max(errors.values()) > 1"):
            self.assertEqual(len(list(findings(line, PYTHON))), 1, line)

        for line in ("assert max(a) < 1", "assert not max(errors) > 1", "assert abs(max(a)) < 1", "assert not (x > 1e-9).any()", "assert not np.any(x > 1)",
                     "self.assertFalse((x > 1).any())", "assert np.nanmax(x) < 1", "np.testing.assert_almost_equal(a, b)", "numpy.testing.assert_array_less(a, b)",
                     "from numpy.testing import assert_allclose"):
            self.assertEqual(len(list(findings(line, PYTHON))), 1, line)
        for path, found in (("tests/sim/a_test.py", 1), ("python/tests/test_a.py", 0)):
            self.assertEqual(len(list(findings("np.testing.assert_allclose(a, b)", patterns_of(path)))), found, path)

    def test_left_alone(self):
        for line in ("const int n = std::max(1, rows);", "least = std::max(most, x);", "worst = larger(worst, x);", "x.maxCoeff<Eigen::PropagateNaN>()", "not_worst = std::max(worst, x);"):
            self.assertEqual(list(findings(line, CPP)), [], line)
        for line in ("assert np.max(a) < 1", "assert (x < 1).all()", "assert not found.any()", "np.testing.assert_array_equal(a, b)", "scale = max(1, x)", "worst = largest(worst, x)", "self.assertLess(largest(*a), 1)"):
            self.assertEqual(list(findings(line, PYTHON)), [], line)

    def test_tests_of_python_are_searched(self):
        root = pathlib.Path(__file__).resolve().parents[2]
        self.assertLessEqual({root / "python/tests/test_dynamics.py", root / "tests/structure/nan_aware_test.py", root / "tests/support/close.cpp"}, set(tested(root)))

    def test_largest(self):
        self.assertEqual((largest(), largest(1, 3, 2)), (0, 3))
        for numbers in ((math.nan, 1), (1, math.nan), (math.nan,)):
            self.assertTrue(math.isnan(largest(*numbers)))


if __name__ == "__main__":
    unittest.main()
