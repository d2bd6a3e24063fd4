#!/usr/bin/env bash
# Runs a command beside real servers: Kafka, Cassandra and a schema registry, or those named before `--`:
#
#     testcontainers/servers.sh -- cargo test --workspace
#     testcontainers/servers.sh kafka cql -- bash
#
# The command finds them in SAIDSO_TEST_KAFKA, SAIDSO_TEST_CQL and SAIDSO_TEST_REGISTRY; they end when it ends. What has
# to be downloaded (once, about 280 MB, with Maven) is kept in .cache/. Needs Debian's openjdk-17-jre-headless and maven,
# and for the registry a Java of 21 or newer; or Docker; or servers of your own, named by those variables.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
# The whole workspace is selected, so that this builds nothing a second time with other features.
cargo build --quiet --manifest-path "$here/../Cargo.toml" --workspace --bin servers -j2
exec "${CARGO_TARGET_DIR:-$here/../target}/debug/servers" "$@"
