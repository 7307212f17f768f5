#!/usr/bin/env bash
# Puts a real S3 server (versitygw, built by Go) behind a note of the chat that outlives a kill, and the cases of the store.
# VERSITYGW_DIR keeps the built program for the next run; `--build` only builds it. Arguments go to Jest.
set -euo pipefail
version=v1.8.0
dir=${VERSITYGW_DIR:-$(mktemp -d)}
mkdir -p "$dir"
# One builds, others wait for it.
exec 9> "$dir/building"
flock 9
[ -x "$dir/versitygw" ] || GOBIN="$dir" go install "github.com/versity/versitygw/cmd/versitygw@$version"
exec 9>&-
if [ "${1:-}" = --build ]; then exit; fi

cd "$(dirname "$0")/.."
data=$(mktemp -d)
mkdir -p "$data/store/media" "$data/about"
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
export S3_ENDPOINT="http://127.0.0.1:$port" S3_BUCKET=media S3_ACCESS_KEY_ID=voxscribe S3_SECRET_ACCESS_KEY=of-a-test
"$dir/versitygw" --port "127.0.0.1:$port" --access "$S3_ACCESS_KEY_ID" --secret "$S3_SECRET_ACCESS_KEY" --quiet \
  posix --sidecar "$data/about" "$data/store" > "$data/log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true; wait "$server" 2>/dev/null || true; rm -rf "$data"' EXIT

node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --maxWorkers=1 \
  e2e/media-store e2e/faults/crash "$@"
