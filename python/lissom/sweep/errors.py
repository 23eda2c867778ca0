"""Errors of sweeps, and packages that only some sweeps need."""
import difflib
import importlib


class SweepError(RuntimeError):
    """A sweep that cannot be started or continued: a wrong argument, study file, checkpoint or engine."""


def needed(package, what, install=None):
    """Imports a package that only `what` needs; the error says how to install it."""
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"{what} needs the package '{package}', which cannot be imported ({error}); pip install {install or package}") from error


def did_you_mean(wrong, names):
    """'; did you mean 'seeds'?', or a list of the names if none is near."""
    names = list(names)
    near = difflib.get_close_matches(str(wrong), names, 1)
    return f"; did you mean '{near[0]}'?" if near else f"; expected one of: {', '.join(names)}" if names else ""
