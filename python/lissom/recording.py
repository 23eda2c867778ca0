"""Recordings of motions: writing, reading, comparing.

    run = recording.read_recording("run.mcap")
    run["q"], run["q", "left_knee"], run.times          # views, without a copy
    with recording.Recorder("other.npz", robot, {"q": None, "error": {"x": "m", "y": "m"}}) as recorder:
        recorder.write(0.0, {"q": q, "error": e})
    recording.compare(run, "other.npz", tolerance=1e-6).alike
"""
from ._core.recording import *  # noqa: F401,F403
