#!/usr/bin/env bash
# Saidso beside what a user might take instead, on the same made-up vectors and the same turns:
#
#     benches/peers/run.sh [FOLDER]
#
# Installs the peers (requirements.txt) in a virtual environment in FOLDER (/tmp/peers unless said otherwise), makes the
# vectors there (1.1 GB), measures one after the other, prints the tables and draws benches/peers.svg. Takes about an
# hour. A peer whose result is in FOLDER/results is not measured again: remove the folder to measure all anew.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
work="${1:-/tmp/peers}"
mkdir -p "$work/results"
export PYTHONDONTWRITEBYTECODE=1

cargo build --release --manifest-path "$root/Cargo.toml" -p saidso -p saidso-benches --bin saidso --bin peers
[ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv"
python="$work/venv/bin/python"
PIP_ROOT_USER_ACTION=ignore "$python" -m pip install --quiet --disable-pip-version-check -r "$here/requirements.txt"

# set NAME ROWS SPACES QUERIES
set_of() {
    [ -f "$work/$1.bin" ] && return
    "$python" "$here/vectors.py" "$work/$1.part" "$2" "$3" "$4"
    mv "$work/$1.part" "$work/$1.bin"
}
# once NAME COMMAND…: its last line is the result.
once() {
    local into="$work/results/$1.json"
    shift
    [ -f "$into" ] && return
    if "$@" >"$into.part" 2>"$into.log"; then mv "$into.part" "$into"; else echo "no result: $*" >&2; fi
}

set_of many-small 50000 1000 2000
set_of many 500000 10000 2000
set_of one 100000 1 1000
for set in many-small many one; do
    for what in vectors recall; do
        once "$set.saidso-$what" "$root/target/release/peers" "$work/$set.bin" "$what"
    done
    "$python" "$here/peers.py" "${set%-small}" | while read -r name; do
        once "$set.${name//[ ,]/_}" "$python" "$here/measure.py" "$name" "$work/$set.bin"
    done
done
once turns.mem0-chroma "$python" "$here/end_to_end.py" chroma
once turns.mem0-pgvector "$python" "$here/end_to_end.py" pgvector
once turns.saidso "$python" "$here/end_to_end.py" saidso "$root/target/release/saidso"
"$python" "$here/table.py" "$work/results" "$root/benches/peers.svg"
