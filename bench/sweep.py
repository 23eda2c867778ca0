#!/usr/bin/env python3
"""Measures sweeps: strong scaling from one worker to two, overhead per case, and what is sent. The table of docs/sweep.md comes from here.

usage: sweep.py [--engines local,ray] [--cases N] [--tries N] [--scaling]     needs the Python package lissom, and ray for the engine ray
"""
import argparse
import os
import pickle
import tempfile
import time

from lissom.sweep import seeds, sweep


def busy(seed):
    """About 15 ms of arithmetic, the same in every case; and which share of a processor it got."""
    wall, processor, total = time.perf_counter(), time.process_time(), 0
    for k in range(300_000):
        total += k * seed % 7
    return {"total": total, "wall": time.perf_counter() - wall, "processor": time.process_time() - processor}


def nothing(seed):
    return {"seed_again": seed}


def warm_sweep(engine, workers, function, cases, **options):
    """A sweep on a Ray cluster whose workers have been started; processes of the engine local are started before its clock is."""
    if engine == "local":
        return sweep(function, cases, workers=workers, progress=False, **options)
    import ray
    ray.init(address="local", num_cpus=workers, include_dashboard=False, log_to_driver=False, logging_level="error")
    try:
        sweep(function, seeds(2 * workers), engine="ray", batch_size=1, progress=False)
        return sweep(function, cases, engine="ray", progress=False, **options)
    finally:
        ray.shutdown()


def scaling(engine, count, tries):
    """The best of some tries. Where other programs run, cases get less than a processor each, and the figures mean little."""
    best = {}
    for _ in range(tries):
        for workers in (1, 2):
            result = warm_sweep(engine, workers, busy, seeds(count))
            share = result.table["processor"].sum() / result.table["wall"].sum()
            best[workers] = min(best.get(workers, (1e9, 0)), (result.seconds, share))
    (one, first), (two, second) = best[1], best[2]
    print(f"{engine:6} {count} cases of {1e3 * one / count:.1f} ms: 1 worker {one:.2f} s, 2 workers {two:.2f} s, speedup {one / two:.2f}, "
          f"efficiency {50 * one / two:.0f} %; cases got {100 * first:.0f} and {100 * second:.0f} % of a processor", flush=True)


def overheads(engine, count):
    for what, cases, options in (("batches", count, {}), ("one case per task", count // 10, {"batch_size": 1})):
        for kept in (False, True):
            times = []
            for _ in range(3):
                with tempfile.TemporaryDirectory() as folder:
                    times.append(warm_sweep(engine, 2, nothing, seeds(cases), checkpoint=f"{folder}/kept" if kept else None, **options).seconds)
            micros = 1e6 * min(times) / cases
            print(f"{engine:6} {what}, {'with' if kept else 'without'} checkpoint: {micros:.1f} µs per case, {1e6 / micros:.0f} cases per s")


def sizes():
    batch = list(enumerate(seeds(100, size={"uniform": [0, 100]}, angle={"uniform": [0, 6.3]})))
    outcomes = [(index, {"stays_up": True, "com_error": 0.1 * index, "seconds": 5.0}, None, 0.2) for index, _ in batch]
    print(f"sent per case: {len(pickle.dumps(batch)) / 100:.0f} bytes; returned: {len(pickle.dumps(outcomes)) / 100:.0f} bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", default="local,ray")
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--tries", type=int, default=3)
    parser.add_argument("--scaling", action="store_true", help="only that")
    arguments = parser.parse_args()
    print(f"load of the machine {os.getloadavg()[0]:.2f}, {os.cpu_count()} processors")
    sizes()
    for engine in arguments.engines.split(","):
        scaling(engine, arguments.cases, arguments.tries)
        if not arguments.scaling:
            overheads(engine, 50_000)
    print(f"load of the machine {os.getloadavg()[0]:.2f}, our own included")


if __name__ == "__main__":
    main()
