#!/usr/bin/env bash
# Installs what the tests need, runs them all, and ends with one line that counts them. Arguments go to cargo test.
#
# Needed beforehand: the Rust toolchain of rust-toolchain.toml, a C compiler with make, and Python's pip. What it fetches is
# kept under .cache.
set -euo pipefail
cd "$(dirname "$0")/.."

# Kafka, Cassandra and the registry run on Java and come with Maven, unless there is Docker or they run already.
if ! { command -v mvn && command -v java; } >/dev/null && ! command -v docker >/dev/null &&
    command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq maven openjdk-17-jre-headless openjdk-21-jre-headless >/dev/null ||
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq maven openjdk-17-jre-headless >/dev/null
fi

# The reference embedding server and the embedder's weights, for the tests that compare with the real model.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
testcontainers/e5.sh testcontainers/servers.sh -- cargo test --workspace -j2 --no-fail-fast "$@" 2>&1 | tee "$log" || status=$?

# One closing line over all the test programs: "N passed, N failed".
awk '/^test result:/ { passed += $4; failed += $6; ignored += $8 }
     END { printf "%d passed, %d failed, %d skipped\n", passed, failed, ignored }' "$log"
exit "$status"
