"""Sweeps on a real Ray cluster of two worker nodes on this machine, of which one is killed in the middle."""
import collections
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from lissom.sweep import combine, grid, seeds, sweep
from sweep_functions import add, fails_for_three, log_line, log_lines, logged

ray = pytest.importorskip("ray", reason="the engine 'ray' needs Ray: pip install ray")
cluster_utils = pytest.importorskip("ray.cluster_utils", reason="this Ray has no cluster for tests")


@pytest.fixture(scope="module")
def cluster():
    """A head without processors, so that it runs no task, and two nodes with one processor each."""
    head = {"num_cpus": 0, "include_dashboard": False, "object_store_memory": 80_000_000,
            "_system_config": {"health_check_period_ms": 500, "health_check_failure_threshold": 6, "health_check_timeout_ms": 500}}
    made = cluster_utils.Cluster(initialize_head=True, head_node_args=head)
    made.workers = [made.add_node(num_cpus=1, object_store_memory=80_000_000) for _ in range(2)]
    ray.init(address=made.address, log_to_driver=False, logging_level="error")
    yield made
    ray.shutdown()
    made.shutdown()


def on_node(seed, log, seconds):
    """Has the node as an output, and logs it in a file beside the log."""
    node = ray.get_runtime_context().get_node_id()
    log_line(log + ".nodes", f"{seed}:{node}")
    return {**logged(seed, log, seconds), "node": node}


def check_whole(result, count, log, checkpoint):
    """Every case is in the table once with its own result, has run, and is in the checkpoint once. Returns the executions by case."""
    assert result.failed == []
    assert result.table["seed"].tolist() == list(range(count))
    assert result.table["square"].tolist() == [seed ** 2 for seed in range(count)]
    executed = collections.Counter(int(line.split(":")[0]) for line in log_lines(log))
    assert set(executed) == set(range(count))
    keys = [json.loads(line)["key"] for line in (checkpoint / "results.jsonl").read_text().splitlines()]
    assert len(keys) == len(set(keys)) == count
    return executed


def test_results_and_failures(cluster):
    result = sweep(add, grid(a=[1, 2, 3], b=[4, 5]), engine="ray")
    assert result.table["sum"].tolist() == [5, 6, 6, 7, 7, 8] and result.table["point"].shape == (6, 2)
    result = sweep(fails_for_three, seeds(5), engine="ray", retries=1)
    assert [(one.index, one.attempts, one.summary) for one in result.failed] == [(3, 2, "ValueError: three is no good")]
    assert ray.is_initialized()  # a connection that was there before stays


def test_functions_of_modules_that_are_not_installed_travel_by_value():
    import sweep_functions
    from lissom.sweep.on_ray import travels_by_value
    assert travels_by_value(add) is sweep_functions
    assert travels_by_value(json.dumps) is None and travels_by_value(np.mean) is None and travels_by_value(sweep) is None


def test_large_clusters_get_longer_tasks(cluster):
    from lissom.sweep.on_ray import OnRay
    for workers, seconds in ((None, 0.5), (100, 0.5), (2000, 4)):
        engine = OnRay(add, workers, None)
        assert engine.slots == (workers or 4)
        assert engine.batch_seconds == seconds
        engine.close()


def test_a_killed_worker_process_loses_nothing(cluster, tmp_path):
    log, killed = str(tmp_path / "log"), []

    def kill_one(done, total):
        if done >= 20 and not killed:
            while int(log_lines(log)[-1].split(":")[0]) % 5 > 1:  # until a batch of five cases has begun
                time.sleep(0.002)
            killed.append(int(log_lines(log)[-1].split(":")[1]))
            os.kill(killed[0], signal.SIGKILL)
    cases = combine(grid(log=[log], seconds=[0.1]), seeds(80))
    result = sweep(on_node, cases, engine="ray", progress=kill_one, checkpoint=tmp_path / "kept", batch_size=5)
    executed = check_whole(result, 80, log, tmp_path / "kept")
    assert killed and sum(executed.values()) > 80  # some of the batch that was running ran twice, and are in the table once
    assert len(set(result.table["node"])) == 2


def test_the_command_finds_the_cluster_and_keeps_what_is_finished_when_it_is_ended(cluster, tmp_path):
    (tmp_path / "wait.py").write_text("import time\ndef wait(seed):\n    time.sleep(0.02)\n    return seed\n")
    (tmp_path / "study.json").write_text('{"function": "wait.py:wait", "seeds": 5000}')
    running = subprocess.Popen([sys.executable, "-m", "lissom.sweep", "study.json", "--checkpoint", "kept", "--engine", "ray"], cwd=tmp_path,
                               stderr=subprocess.PIPE, text=True, env={**os.environ, "RAY_ADDRESS": cluster.address})
    log = tmp_path / "kept" / "results.jsonl"
    while running.poll() is None and not (log.exists() and log.stat().st_size > 100):
        time.sleep(0.01)
    running.send_signal(signal.SIGTERM)
    _, messages = running.communicate(timeout=30)
    assert running.returncode == 130, messages
    said = re.search(r"lissom: sweep: interrupted: (\d+) of 5000 cases are safe in 'kept'", messages)
    assert int(said[1]) == len(log.read_text().splitlines()) > 0


def test_who_always_kills_its_worker_is_blamed(cluster):
    def fatal(seed):
        if seed == 2:
            os._exit(1)
        return seed
    result = sweep(fatal, seeds(6), engine="ray", retries=1, batch_size=3)
    assert [(one.index, one.attempts) for one in result.failed] == [(2, 2)]
    assert np.delete(result.table["result"], 2).tolist() == [0, 1, 3, 4, 5]


def test_a_killed_node_loses_nothing(cluster, tmp_path):
    """Last, because the cluster has one node less afterwards."""
    log, killed = str(tmp_path / "log"), []

    def kill_one(done, total):
        """As soon as the node has finished a batch of ten cases and has begun one of the first five of another, which then cannot end before the node
        does. On a busy machine the other node may have done much by then."""
        until = time.monotonic() + 2
        while not killed and time.monotonic() < until:
            here = [int(line.split(":")[0]) for line in log_lines(log + ".nodes") if line.endswith(cluster.workers[1].node_id)]
            if len(here) <= 10:
                return
            if here[-1] % 10 < 5:
                killed.append(cluster.workers[1].node_id)
                cluster.remove_node(cluster.workers[1], allow_graceful=False)
            time.sleep(0.005)
    cases = combine(grid(log=[log], seconds=[0.1]), seeds(160))
    result = sweep(on_node, cases, engine="ray", progress=kill_one, checkpoint=tmp_path / "kept", batch_size=10)
    executed = check_whole(result, 160, log, tmp_path / "kept")
    assert killed and sum(executed.values()) > 160  # what the node was at ran again elsewhere
    by_node = collections.Counter(result.table["node"].tolist())
    assert len(by_node) == 2 and 0 < by_node[killed[0]] < 150  # both took part, and one of them not to the end
