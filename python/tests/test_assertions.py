"""numpy's assertions take NaN for equal to NaN; those of these tests do not (conftest.py)."""

import numpy as np
import pytest


@pytest.mark.parametrize("assertion", [np.testing.assert_allclose, np.testing.assert_array_equal])
def test_nan_is_no_number(assertion):
    assertion([1.0, 2.0], [1.0, 2.0])
    assertion([np.inf, -0.0], [np.inf, 0.0])
    for values in ([1.0, np.nan], np.full((2, 3), np.nan, "f4"), np.array([complex(0, np.nan)])):
        assertion(values, values, equal_nan=True)
        with pytest.raises(AssertionError, match="NaN"):
            assertion(values, values)
    with pytest.raises(AssertionError):
        assertion([1.0, np.nan], [1.0, 2.0], equal_nan=True)
