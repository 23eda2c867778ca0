#!/usr/bin/env python3
"""Compares other readers with ours: the official mcap and ROS 2 packages, numpy, Python's own csv and zipfile.

usage: other_tools_test.py --recorder PROGRAM --venv DIRECTORY        exit status 77: skipped, and why

The packages are installed from PyPI, into a virtual environment that the test makes once.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from largest import largest  # noqa: E402, F401
from other_packages import python_with  # noqa: E402

# Runs inside the virtual environment, in a folder with run.mcap, run.npz, run.csv and cut.mcap.
INSIDE = r"""
import csv, json, zipfile
import numpy
from mcap.reader import make_reader, NonSeekingReader
from mcap.stream_reader import StreamReader
from mcap.records import Chunk, DataEnd
from mcap_ros2.decoder import DecoderFactory

# NPZ: numpy can read it, and zipfile finds no wrong checksum.
assert zipfile.ZipFile("run.npz").testzip() is None
npz = numpy.load("run.npz")
header = json.loads(npz["header.json"])
assert header["model"] == "humanoid" and header["base"] == "free" and header["settings"]["solver"] == {"iterations": 10}
time = npz["time"]
signals = {s["name"]: [c["name"] for c in s["columns"]] for s in header["signals"]}
assert time.shape == (200,) and npz["q"].shape == (200, 37) and npz["energy"].shape == (200, 3), (time.shape, npz["q"].shape)
assert npz["robot.urdf"].startswith(b"<"), npz["robot.urdf"][:20]

# CSV: the same bits, with the csv module and float().
rows = [row for row in csv.reader(line for line in open("run.csv", encoding="utf-8") if not line.startswith("#"))]
names = ["time [s]"] + [f"{s['name']}.{c['name']} [{c['unit']}]" for s in header["signals"] for c in s["columns"]]
assert rows[0] == names, (rows[0], names)
table = numpy.array([[float(x) for x in row] for row in rows[1:]])
together = numpy.hstack([time[:, None]] + [npz[s] for s in signals])
assert numpy.array_equal(table, together, equal_nan=True)

# MCAP: the official reader, with all checksums, by the index, decoded as ROS 2 messages.
def columns_of(message):
    return [getattr(message, name) for name in message.__slots__]
with open("run.mcap", "rb") as file:
    reader = make_reader(file, decoder_factories=[DecoderFactory()], validate_crcs=True)
    summary = reader.get_summary()
    assert summary.statistics.message_count == 200 * len(signals) and summary.statistics.chunk_count == len(summary.chunk_indexes) >= 1
    assert {c.topic for c in summary.channels.values()} == set(signals)
    found = {name: [] for name in signals}
    for schema, channel, message, decoded in reader.iter_decoded_messages():
        assert message.log_time == round(decoded.time * 1e9) and message.sequence == len(found[channel.topic])
        true_names = [c["name"] for c in json.loads(channel.metadata["columns"])]
        assert true_names == signals[channel.topic]
        found[channel.topic].append(columns_of(decoded))
    for name in signals:
        assert numpy.array_equal(numpy.array(found[name])[:, 0], time), name
        assert numpy.array_equal(numpy.array(found[name])[:, 1:], npz[name], equal_nan=True), name
    assert hasattr(decoded, "time")
    # By time, through the message indexes.
    some = [m for _, _, m in reader.iter_messages(topics=["q"], start_time=int(0.5e9), end_time=int(1e9))]
    assert len(some) == 50, len(some)
    [attachment] = reader.iter_attachments()
    assert attachment.name == "humanoid.urdf" and attachment.data == npz["robot.urdf"]
    [metadata] = reader.iter_metadata()
    assert metadata.name == "lissom.recording" and json.loads(metadata.metadata["header"]) == header
with open("run.mcap", "rb") as file:
    fields = next(d for _, c, _, d in make_reader(file, decoder_factories=[DecoderFactory()]).iter_decoded_messages(topics=["q"]))
    assert fields.left_knee == npz["q"][0][signals["q"].index("left_knee")] and fields.base_qw == npz["q"][0][3]
# As a stream, from front to back, with all records in order.
with open("run.mcap", "rb") as file:
    kinds = [type(r).__name__ for r in StreamReader(file, emit_chunks=True, validate_crcs=True).records]
    assert kinds[0] == "Header" and kinds[-1] == "Footer" and "DataEnd" in kinds and "SummaryOffset" in kinds, kinds
# A file that was not closed can be read up to its end.
with open("cut.mcap", "rb") as file:
    count = 0
    try:
        for _ in NonSeekingReader(file).iter_messages(log_time_order=False):
            count += 1
    except Exception as error:
        print("at the end of the truncated file:", repr(error))
    assert count == 200 * len(signals), count
print("all the same")
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recorder", required=True)
    parser.add_argument("--venv", required=True)
    options = parser.parse_args()
    python = python_with(options.venv, "mcap")
    with tempfile.TemporaryDirectory() as folder:
        for words in (["run.mcap", "odd=1", "nan=1"], ["run.npz", "odd=1", "nan=1"], ["run.csv", "odd=1", "nan=1"],
                      ["cut.mcap", "odd=1", "crash=1"]):
            subprocess.run([pathlib.Path(options.recorder).resolve(), *words], cwd=folder, check=True)
        return subprocess.run([python, "-W", "ignore", "-c", INSIDE], cwd=folder).returncode


if __name__ == "__main__":
    sys.exit(main())
