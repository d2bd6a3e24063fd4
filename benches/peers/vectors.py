"""Made-up memories that every peer, and Saidso, is measured on.

    vectors.py FILE ROWS SPACES QUERIES

The file is little-endian, four bytes a field:

    header   u32 dimension, spaces, rows, queries
    a row    u32 space, u32 id, f32 x dimension      ids count up; spaces come in no order, as customers do
    a query  u32 space, u32 x 5, f32 x dimension     the ids nearest to it in its space, by an exact search in f32

All vectors are of length one. They are crowded as those of a real embedder are (unrelated ones have a cosine near .6):
a direction common to all, one of 256 topics, 32 latent directions within the topic, and noise. A query is a memory of
its space said in other words: the memory with new noise and a part of its latent directions drawn again.
"""

import sys

import numpy as np

DIMENSION, TOPICS, LATENT, NEAREST = 384, 256, 32, 5
AT_ONCE = 20_000
HEADER = 16

ROW = np.dtype([("space", "<u4"), ("id", "<u4"), ("vector", "<f4", DIMENSION)])
QUERY = np.dtype([("space", "<u4"), ("nearest", "<u4", NEAREST), ("vector", "<f4", DIMENSION)])


def unit(vectors):
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


class Generator:
    def __init__(self, seed=20261130):
        self.chance = np.random.default_rng(seed)
        self.common = unit(self.draw(1, DIMENSION))
        self.topics = unit(self.draw(TOPICS, DIMENSION))
        self.latent = unit(self.draw(LATENT, DIMENSION))

    def draw(self, rows, columns):
        return self.chance.standard_normal((rows, columns), dtype=np.float32)

    def vectors(self, topics, latents):
        noise = self.draw(len(topics), DIMENSION) / np.sqrt(DIMENSION)
        within = latents @ self.latent / np.sqrt(LATENT)
        return unit(0.8 * self.common + 0.45 * self.topics[topics] + 0.4 * within + 0.15 * noise)


def write(path, rows, spaces, queries):
    made = Generator()
    # Every space gets its share; who speaks when is chance.
    of_space = made.chance.permutation(np.arange(rows, dtype=np.uint32) % spaces)
    topics = made.chance.integers(0, TOPICS, rows)
    latents = made.draw(rows, LATENT)
    with open(path, "wb") as file:
        np.array([DIMENSION, spaces, rows, queries], "<u4").tofile(file)
        for start in range(0, rows, AT_ONCE):
            part = slice(start, min(start + AT_ONCE, rows))
            block = np.empty(part.stop - start, ROW)
            block["space"], block["id"] = of_space[part], np.arange(start, part.stop)
            block["vector"] = made.vectors(topics[part], latents[part])
            block.tofile(file)
    stored = np.memmap(path, ROW, "r", HEADER, rows)
    asked = made.chance.integers(0, rows, queries)
    drift = made.draw(queries, LATENT)
    block = np.empty(queries, QUERY)
    block["space"] = of_space[asked]
    block["vector"] = made.vectors(topics[asked], 0.8 * latents[asked] + 0.6 * drift)
    order = np.argsort(of_space, kind="stable")
    bounds = np.searchsorted(of_space[order], np.arange(spaces + 1))
    for query in block:
        members = order[bounds[query["space"]] : bounds[query["space"] + 1]]
        # One space may be all of the file, which is read in order then; a small one is gathered.
        vectors = stored["vector"] if spaces == 1 else stored["vector"][members]
        query["nearest"] = members[np.argsort(-(vectors @ query["vector"]), kind="stable")[:NEAREST]]
    with open(path, "ab") as file:
        block.tofile(file)


if __name__ == "__main__":
    write(sys.argv[1], *(int(word) for word in sys.argv[2:5]))
