"""The peers: each takes in rows of many spaces and answers with the ids of the nearest in one space, in the way its
own documentation recommends for data of many tenants. Durable ones write to a folder of their own.
"""

import sys

import numpy as np


class TooMuch(Exception):
    """The rows were not taken in within the time or the memory given."""


class Peer:
    forks = False
    """Whether two processes may share it by fork; else two threads ask."""

    def __init__(self, folder, dimension):
        self.folder, self.dimension = folder, dimension
        # So that the code of a package does not count as memory of its rows.
        self.load()

    def load(self):
        """Imports the package."""

    def forked(self):
        """In a process that was forked just now."""


class Chroma(Peer):
    """One collection, filtered by metadata: the cookbook's user-per-document strategy, and what mem0 does."""

    def load(self):
        import chromadb

        self.client = chromadb.PersistentClient(self.folder, chromadb.Settings(anonymized_telemetry=False))
        self.batch = min(5_000, self.client.get_max_batch_size())

    def collection(self, name):
        return self.client.create_collection(name, embedding_function=None, configuration={"hnsw": {"space": "ip"}})

    def build(self, given):
        self.all = self.collection("all")
        for spaces, ids, rows in given.batches(self.batch):
            metadatas = [{"space": space} for space in spaces.tolist()]
            self.all.add([str(id) for id in ids], embeddings=rows, metadatas=metadatas)

    def search(self, space, vector, k):
        found = self.all.query(vector[None], n_results=k, where={"space": space}, include=[])
        return [int(id) for id in found["ids"][0]]


class ChromaCollections(Chroma):
    """One collection a space: the cookbook's user-per-collection strategy."""

    def build(self, given):
        self.of = {}
        for space, ids, rows in given.by_space():
            self.of[space] = self.collection(f"space-{space}")
            for start in range(0, len(ids), self.batch):
                given.more()
                part = slice(start, start + self.batch)
                self.of[space].add([str(id) for id in ids[part]], embeddings=rows[part])

    def search(self, space, vector, k):
        found = self.of[space].query(vector[None], n_results=k, include=[])
        return [int(id) for id in found["ids"][0]]


class Lance(Peer):
    """One table, prefiltered by a column with a B-tree index; no vector index, since a space's rows are few."""

    def load(self):
        import lancedb
        import pyarrow

        self.lancedb, self.pyarrow = lancedb, pyarrow

    def build(self, given):
        pyarrow = self.pyarrow

        def batches():
            for spaces, ids, rows in given.batches(20_000):
                flat = pyarrow.FixedSizeListArray.from_arrays(rows.ravel(), self.dimension)
                yield pyarrow.RecordBatch.from_arrays(
                    [pyarrow.array(spaces), pyarrow.array(ids), flat], schema=schema
                )

        vector = pyarrow.list_(pyarrow.float32(), self.dimension)
        schema = pyarrow.schema([("space", pyarrow.uint32()), ("id", pyarrow.uint32()), ("vector", vector)])
        self.table = self.lancedb.connect(self.folder).create_table("all", batches(), schema=schema)
        self.index(given)

    def index(self, given):
        self.table.create_scalar_index("space")

    def search(self, space, vector, k):
        asked = self.table.search(vector).distance_type("dot").where(f"space = {space}", prefilter=True)
        return asked.select(["id", "_distance"]).limit(k).to_arrow()["id"].to_pylist()


class LanceIndexed(Lance):
    """For one large space: the default vector index (IVF-PQ), refined as documented."""

    def index(self, given):
        self.table.create_index(metric="dot")

    def effort(self, effort):
        self.probes = effort

    def search(self, space, vector, k):
        asked = self.table.search(vector).nprobes(self.probes).refine_factor(10)
        return asked.select(["id", "_distance"]).limit(k).to_arrow()["id"].to_pylist()


class QdrantLocal(Peer):
    """qdrant-client's local mode, one collection filtered by payload."""

    forks = True

    def load(self):
        from qdrant_client import QdrantClient, models

        self.models, self.client = models, QdrantClient(":memory:")

    def build(self, given):
        models = self.models
        vectors = models.VectorParams(size=self.dimension, distance=models.Distance.DOT)
        self.client.create_collection("all", vectors_config=vectors)
        for spaces, ids, rows in given.batches(5_000):
            payloads = [{"space": space} for space in spaces.tolist()]
            self.client.upsert("all", models.Batch(ids=ids.tolist(), vectors=rows.tolist(), payloads=payloads))

    def search(self, space, vector, k):
        models = self.models
        of_space = models.FieldCondition(key="space", match=models.MatchValue(value=space))
        only = models.Filter(must=[of_space])
        found = self.client.query_points("all", vector, query_filter=only, limit=k, with_payload=False)
        return [point.id for point in found.points]


class QdrantEdge(Peer):
    """One shard, payload-based partitions: a tenant index on the key, a graph per tenant instead of one over all."""

    m, payload_m = 0, 16

    def load(self):
        import qdrant_edge

        self.edge = qdrant_edge

    def build(self, given):
        edge = self.edge
        graph = edge.HnswIndexConfig(self.m, 100, 10_000, payload_m=self.payload_m)
        vectors = {"": edge.EdgeVectorParams(self.dimension, edge.Distance.Dot)}
        self.shard = edge.EdgeShard.create(self.folder, edge.EdgeConfig(vectors, hnsw_config=graph))
        tenant = edge.KeywordIndexParams(is_tenant=True)
        self.shard.update(edge.UpdateOperation.create_field_index("space", tenant))
        for spaces, ids, rows in given.batches(5_000):
            of = zip(ids.tolist(), rows.tolist(), spaces.tolist())
            points = [edge.Point(id, {"": row}, {"space": str(space)}) for id, row, space in of]
            self.shard.update(edge.UpdateOperation.upsert_points(points))
        self.shard.optimize()

    def search(self, space, vector, k):
        edge = self.edge
        of_space = edge.FieldCondition("space", match=edge.MatchValue(str(space)))
        request = edge.QueryRequest(
            limit=k, query=edge.Query.Nearest(vector.tolist()), filter=edge.Filter(must=[of_space])
        )
        return [point.id for point in self.shard.query(request)]


class QdrantEdgeGraph(QdrantEdge):
    """For one large space: the usual graph over all."""

    m, payload_m = 16, 16

    def effort(self, effort):
        self.params = self.edge.SearchParams(hnsw_ef=effort)

    def search(self, space, vector, k):
        edge = self.edge
        request = edge.QueryRequest(limit=k, query=edge.Query.Nearest(vector.tolist()), params=self.params)
        return [point.id for point in self.shard.query(request)]


class Faiss(Peer):
    forks = True

    def load(self):
        import faiss

        self.faiss = faiss
        # An asker has one thread, as with the others that fork; a fork does not outlive OpenMP's threads anyway.
        faiss.omp_set_num_threads(1)


class FaissFlat(Faiss):
    """A flat index a space: exact."""

    def build(self, given):
        self.of = {}
        for space, ids, rows in given.by_space():
            index = self.faiss.IndexFlatIP(self.dimension)
            index.add(rows)
            self.of[space] = (index, ids.astype(np.uint32))

    def search(self, space, vector, k):
        index, ids = self.of[space]
        return ids[index.search(vector[None], k)[1][0]].tolist()


class FaissSelector(Faiss):
    """One flat index over all spaces and a selector of the space's ids: exact."""

    def build(self, given):
        self.index, members = self.faiss.IndexFlatIP(self.dimension), [[] for _ in range(given.spaces)]
        for spaces, ids, rows in given.batches(20_000):
            self.index.add(rows)
            for space, id in zip(spaces.tolist(), ids.tolist()):
                members[space].append(id)
        self.members = [np.array(ids, np.int64) for ids in members]

    def search(self, space, vector, k):
        only = self.faiss.SearchParameters(sel=self.faiss.IDSelectorBatch(self.members[space]))
        return self.index.search(vector[None], k, params=only)[1][0].tolist()


class FaissGraph(Faiss):
    """For one large space: HNSW."""

    def build(self, given):
        self.index = self.faiss.IndexHNSWFlat(self.dimension, 16, self.faiss.METRIC_INNER_PRODUCT)
        self.index.hnsw.efConstruction = 100
        self.faiss.omp_set_num_threads(2)
        for _, _, rows in given.batches(5_000):
            self.index.add(rows)
        self.faiss.omp_set_num_threads(1)

    def effort(self, effort):
        self.index.hnsw.efSearch = effort

    def search(self, space, vector, k):
        return self.index.search(vector[None], k)[1][0].tolist()


class Hnswlib(Peer):
    """An index a space: its filter is a Python call per candidate, which the documentation calls slow."""

    forks = True

    def load(self):
        import hnswlib

        self.hnswlib = hnswlib

    def build(self, given):
        self.of = {}
        for space, ids, rows in given.by_space():
            index = self.hnswlib.Index("ip", self.dimension)
            index.init_index(len(ids), M=16, ef_construction=100)
            for start in range(0, len(ids), 5_000):
                given.more()
                index.add_items(rows[start : start + 5_000], ids[start : start + 5_000])
            index.set_num_threads(1)
            self.of[space] = index

    def effort(self, effort):
        for index in self.of.values():
            index.set_ef(effort)

    def search(self, space, vector, k):
        return self.of[space].knn_query(vector, k)[0][0].tolist()


class Usearch(Peer):
    """An index a space: the Python package has no filter."""

    forks = True

    def load(self):
        from usearch.index import Index

        self.index = Index

    def build(self, given):
        self.of = {}
        for space, ids, rows in given.by_space():
            self.of[space] = self.index(
                ndim=self.dimension, metric="ip", dtype="f16", connectivity=16, expansion_add=100
            )
            for start in range(0, len(ids), 5_000):
                given.more()
                self.of[space].add(ids[start : start + 5_000].astype(np.uint64), rows[start : start + 5_000])

    def effort(self, effort):
        for index in self.of.values():
            index.expansion_search = effort

    def search(self, space, vector, k):
        return self.of[space].search(vector, k, threads=1).keys.tolist()


class SqliteVec(Peer):
    """One table whose partition key is the space: exact."""

    forks = True

    def load(self):
        # Python's own is often built without extensions.
        import pysqlite3
        import sqlite_vec

        self.db = pysqlite3.connect(f"{self.folder}/all.db")
        self.db.enable_load_extension(True)
        sqlite_vec.load(self.db)

    def build(self, given):
        # A chunk belongs to one partition and is allocated whole, so it is made as small as a space.
        chunk = min(1024, -(-given.rows // given.spaces // 8) * 8)
        self.db.execute(
            f"create virtual table all_rows using vec0(space integer partition key, "
            f"vector float[{self.dimension}] distance_metric=cosine, chunk_size={chunk})"
        )
        for spaces, ids, rows in given.batches(5_000):
            of = zip(ids.tolist(), spaces.tolist(), rows)
            with self.db:
                self.db.executemany(
                    "insert into all_rows (rowid, space, vector) values (?, ?, ?)",
                    ((id, space, row.tobytes()) for id, space, row in of),
                )

    def forked(self):
        self.load()

    def search(self, space, vector, k):
        asked = "select rowid from all_rows where vector match ? and space = ? and k = ? order by distance"
        return [id for (id,) in self.db.execute(asked, (vector.tobytes(), space, k))]


MANY = {
    "faiss-cpu, a flat index each": FaissFlat,
    "faiss-cpu, one flat index, selector": FaissSelector,
    "usearch, an index each": Usearch,
    "hnswlib, an index each": Hnswlib,
    "sqlite-vec, partition key": SqliteVec,
    "qdrant-edge, tenant index": QdrantEdge,
    "qdrant-client local, filter": QdrantLocal,
    "lancedb, where": Lance,
    "chromadb, where": Chroma,
    "chromadb, a collection each": ChromaCollections,
}
"""For many small spaces."""

ONE = {
    "faiss-cpu, flat": FaissFlat,
    "faiss-cpu, HNSW": FaissGraph,
    "usearch, f16": Usearch,
    "hnswlib": Hnswlib,
    "sqlite-vec": SqliteVec,
    "qdrant-edge, HNSW": QdrantEdgeGraph,
    "qdrant-client local": QdrantLocal,
    "lancedb, no index": Lance,
    "lancedb, IVF-PQ": LanceIndexed,
    "chromadb": ChromaCollections,
}
"""For one large space."""

PEERS = {**MANY, **ONE}

if __name__ == "__main__":
    print("\n".join({"many": MANY, "one": ONE}[sys.argv[1]]))
