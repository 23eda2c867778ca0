"""python -m lissom.sweep STUDY.json: runs the sweep of a study file. It is what `lissom sweep` starts."""
import argparse
import json
import pathlib
import signal
import sys

from . import ENGINES, sweep
from .errors import SweepError, did_you_mean
from .study import read_study
from .table import check_format

EXIT_CODES = "Exit code: 0 success, 1 some cases failed, 2 wrong use or input, 130 interrupted (Ctrl-C, SIGTERM); a checkpoint keeps what was finished."


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise SweepError(message)


def arguments(words):
    parser = Parser(prog="lissom sweep", description="run a function or a program for many cases, here or on a Ray cluster", epilog=EXIT_CODES,
                    allow_abbrev=False)
    parser.add_argument("study", metavar="STUDY", help="study file (.json)")
    parser.add_argument("--engine", choices=ENGINES, default="local", help="processes of this machine (default), or tasks on a Ray cluster")
    parser.add_argument("--workers", type=int, metavar="N", help="cases that run at once (default: all processors); 0: in one process")
    parser.add_argument("--address", metavar="A", help="address of the Ray cluster (default: RAY_ADDRESS, or one is started here)")
    parser.add_argument("--checkpoint", metavar="DIR", help="folder that keeps results as they come; the same command continues")
    parser.add_argument("--out", metavar="FILE", help="table to write: .npz, .parquet or .csv (default: STUDY.npz in this folder)")
    parser.add_argument("--retries", type=int, default=2, metavar="N", help="how often a case that fails is tried again (default: 2)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--quiet", action="store_true", help="show no progress")
    known = [option for action in parser._actions for option in action.option_strings]
    for word in words[:words.index("--")] if "--" in words else words:
        if word.startswith("--") and word.split("=")[0] not in known:
            raise SweepError(f"{word.split('=')[0]}: unknown option{did_you_mean(word.split('=')[0], known)}")
    return parser.parse_args(words)


def report(options, result, out):
    if options.json:
        failed = [{"index": one.index, "case": one.case, "attempts": one.attempts, "error": one.error} for one in result.failed]
        print(json.dumps({"study": options.study, "engine": options.engine, "cases": len(result), "succeeded": len(result) - len(failed),
                          "from_checkpoint": result.resumed, "failed": failed, "seconds": result.seconds, "table": str(out),
                          "columns": list(result.table)}, indent=2))
        return
    resumed = f", {result.resumed} of them from the checkpoint" if result.resumed else ""
    print(f"{options.study}: {len(result) - len(result.failed)} of {len(result)} cases succeeded{resumed}, {result.seconds:.3g} s")
    for one in result.failed[:20]:
        print(f"failed     case {one.index} {json.dumps(one.case)}, {one.attempts} attempts: {one.summary}")
    if len(result.failed) > 20:
        print(f"           … and {len(result.failed) - 20} more (--json lists all of them)")
    print(f"table      {out}: {len(result)} rows, columns {', '.join(result.table)}")


def run(words):
    options = arguments(words)
    out = pathlib.Path(options.out or pathlib.Path(options.study).stem + ".npz")
    check_format(out)
    if not out.resolve().parent.is_dir():
        raise SweepError(f"--out '{out}': there is no such folder")
    study = read_study(options.study)
    result = sweep(study.function, study.cases, engine=options.engine, workers=options.workers, checkpoint=options.checkpoint,
                   retries=options.retries, timeout=study.timeout, address=options.address, progress=False if options.quiet else None)
    result.save(out)
    report(options, result, out)
    return 1 if result.failed else 0


def main(words=None):
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C
    try:
        return run(sys.argv[1:] if words is None else words)
    except (SweepError, ImportError, OSError) as error:
        print(f"lissom: sweep: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt as stop:
        print(f"lissom: sweep: {stop or 'interrupted'}", file=sys.stderr)
        return 130


if __name__ == "__main__":
    sys.exit(main())
