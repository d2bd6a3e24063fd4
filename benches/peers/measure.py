"""Measures one peer on one set of vectors and prints one line of JSON.

    measure.py PEER SET

A process of its own per peer, so that what one leaves in memory is not counted for the next. What is measured goes
through the Python package, as a user of it would: of a call a few microseconds are the package's own (faiss: 4).
"""

import gc
import json
import os
import sys
import tempfile
import threading
import time

import numpy as np

import vectors
from peers import PEERS, TooMuch

BUILD_S = 300
BUILD_BYTES = 10 << 30
"""Seconds and memory that taking in the rows may take. At the end of either it is said how far a peer came."""
QUERIES_S = 15
"""Seconds one phase of queries may take; at least FEWEST are asked."""
FEWEST = 20
TOGETHER_S = 4
K = 5


class Set:
    """Rows in the order they are said, and queries with their exact answers."""

    def __init__(self, path):
        self.path = path
        self.dimension, self.spaces, self.rows, queries = (int(n) for n in np.fromfile(path, "<u4", 4))
        offset = vectors.HEADER + self.rows * vectors.ROW.itemsize
        self.queries = np.fromfile(path, vectors.QUERY, queries, offset=offset)
        self.started = 0.0
        self.given = 0

    def batches(self, size):
        """Rows in order: spaces, ids, vectors. Read, not mapped, so that the file does not count as memory."""
        for start in range(0, self.rows, size):
            self.more()
            offset = vectors.HEADER + start * vectors.ROW.itemsize
            block = np.fromfile(self.path, vectors.ROW, min(size, self.rows - start), offset=offset)
            self.given = start + len(block)
            yield block["space"], block["id"], np.ascontiguousarray(block["vector"])

    def by_space(self):
        """The rows of one space after the other: space, ids, vectors. For peers with an index per space."""
        block = np.fromfile(self.path, vectors.ROW, self.rows, offset=vectors.HEADER)
        order = np.argsort(block["space"], kind="stable")
        bounds = np.searchsorted(block["space"][order], np.arange(self.spaces + 1))
        for space in range(self.spaces):
            self.more()
            members = order[bounds[space] : bounds[space + 1]]
            self.given += len(members)
            yield space, block["id"][members], np.ascontiguousarray(block["vector"][members])

    def more(self):
        """Whether a peer may go on."""
        if time.perf_counter() - self.started > BUILD_S:
            raise TooMuch(f"{self.given:,} of {self.rows:,} rows in {BUILD_S} s")
        if resident() > BUILD_BYTES:
            raise TooMuch(f"{self.given:,} of {self.rows:,} rows in {BUILD_BYTES >> 30} GiB")


def resident():
    """Bytes of this process in memory, mapped index files included."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def on_disk(folder):
    """Bytes of the files of a folder."""
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


def recall(answers, queries):
    found = [len(set(answer) & set(query["nearest"].tolist())) for answer, query in zip(answers, queries)]
    return sum(found) / (K * len(found))


def asked(peer, queries, seconds):
    """Asks one after the other: answers and wall seconds of each."""
    answers, times = [], []
    ends = time.perf_counter() + seconds
    for query in queries:
        started = time.perf_counter()
        answers.append(peer.search(int(query["space"]), query["vector"], K))
        times.append(time.perf_counter() - started)
        if started > ends and len(answers) >= FEWEST:
            break
    return answers, times


def rate(peer, queries, part, seconds):
    """Queries per second of one asker."""
    count, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        for query in queries[part::2]:
            peer.search(int(query["space"]), query["vector"], K)
            count += 1
            if time.perf_counter() - started >= seconds:
                break
    return count / (time.perf_counter() - started)


def together(peer, queries):
    """Queries per second of two askers, and what they are: processes that share the index where it may be forked and
    the machine lets it be (Linux refuses to fork what has reserved more than there is), else threads."""
    if peer.forks:
        try:
            return forked(peer, queries), "processes"
        except OSError:
            pass
    rates = [0.0, 0.0]

    def ask(part):
        rates[part] = rate(peer, queries, part, TOGETHER_S)

    threads = [threading.Thread(target=ask, args=(part,)) for part in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return sum(rates), "threads"


def forked(peer, queries):
    pipes, total = [], 0.0
    for part in range(2):
        out, into = os.pipe()
        if os.fork() == 0:
            peer.forked()
            os.write(into, str(rate(peer, queries, part, TOGETHER_S)).encode())
            os._exit(0)
        os.close(into)
        pipes.append(out)
    for out in pipes:
        with os.fdopen(out) as file:
            total += float(file.read())
        os.wait()
    return total


def tuned(peer, queries):
    """Raises the search effort until an approximate index finds 99 % on half of the queries."""
    for effort in (16, 32, 64, 128, 256, 512):
        peer.effort(effort)
        answers, _ = asked(peer, queries[::2], QUERIES_S)
        if recall(answers, queries[::2]) >= 0.99:
            break
    return effort


def measure(name, path):
    given = Set(path)
    row = {"peer": name, "spaces": given.spaces, "rows": given.rows}
    with tempfile.TemporaryDirectory() as folder:
        peer = PEERS[name](folder, given.dimension)
        before = resident()
        given.started = time.perf_counter()
        cpu = time.process_time()
        try:
            peer.build(given)
        except TooMuch as said:
            return {**row, "said": str(said)}
        row["build_s"] = time.perf_counter() - given.started
        row["build_cpu_s"] = time.process_time() - cpu
        if hasattr(peer, "effort"):
            row["effort"] = tuned(peer, given.queries)
        held_out = given.queries[1::2]
        asked(peer, held_out[:FEWEST], 1)
        cpu = time.process_time()
        answers, times = asked(peer, held_out, QUERIES_S)
        row["cpu_ms"] = (time.process_time() - cpu) / len(answers) * 1e3
        row["recall"] = recall(answers, held_out)
        times.sort()
        row["p50_ms"], row["p99_ms"] = (times[len(times) * share // 100] * 1e3 for share in (50, 99))
        row["asked"] = len(answers)
        gc.collect()
        row["bytes"] = (resident() - before) / given.rows
        row["disk"] = on_disk(folder) / given.rows
        row["per_s"], row["how"] = together(peer, given.queries)
    return row


if __name__ == "__main__":
    load = os.getloadavg()[0]
    found = measure(sys.argv[1], sys.argv[2])
    print(json.dumps({**found, "load": load}), flush=True)
    # Some packages keep threads that would hold the process open.
    os._exit(0)
