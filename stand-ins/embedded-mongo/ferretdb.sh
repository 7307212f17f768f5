#!/usr/bin/env bash
# Puts FerretDB 1.24 (SQLite) through the conformance suite; needs Go. Its find-and-modify is not atomic, so the
# concurrency cases stay out. FERRETDB_DIR keeps the built program for the next run; `--build` only builds it. Arguments
# go to Jest.
set -euo pipefail
version=v1.24.0
here=$(cd "$(dirname "$0")" && pwd)
dir=${FERRETDB_DIR:-$(mktemp -d)}
mkdir -p "$dir"
# One builds, others wait for it.
exec 9> "$dir/building"
flock 9
if [ ! -x "$dir/ferretdb" ]; then
  # `go install` of a version lacks the file that names the version, and the program refuses to start without it.
  sources=$(GOFLAGS=-mod=mod go mod download -json "github.com/FerretDB/FerretDB@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  rm -rf "$dir/source" && cp -r "$sources" "$dir/source" && chmod -R u+w "$dir/source"
  echo "$version" > "$dir/source/build/version/version.txt"
  # To optimise it takes longer than the suite; the handler of PostgreSQL is not asked for.
  (cd "$dir/source" && go build -tags ferretdb_no_postgresql -gcflags='all=-N -l' -o "$dir/ferretdb" ./cmd/ferretdb)
  rm -rf "$dir/source"
fi
exec 9>&-
if [ "${1:-}" = --build ]; then exit; fi

data=$(mktemp -d)
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
"$dir/ferretdb" --handler=sqlite --sqlite-url="file:$data/" --state-dir="$data" --listen-addr="127.0.0.1:$port" \
  --debug-addr=- --telemetry=disable --log-level=error &
ferretdb=$!
trap 'kill "$ferretdb" 2>/dev/null || true; wait "$ferretdb" 2>/dev/null || true; rm -rf "$data"' EXIT

cd "$here/../.."
MONGO_URL="mongodb://127.0.0.1:$port/?directConnection=true" MONGO_ATOMIC=off \
  node --experimental-vm-modules node_modules/jest/bin/jest.js --maxWorkers=1 stand-ins/embedded-mongo/src/conformance.test.ts "$@"
