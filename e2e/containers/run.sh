#!/usr/bin/env bash
# Brings `npm run test:containers` to this machine. `run.sh build` takes the Docker that answers, else installs Debian's (as
# root), makes what is missing of the base images, and builds the system's; `run.sh test` runs the suites, with arguments
# for Jest; `run.sh cluster` builds and runs e2e/cluster. CONTAINERS_DIR keeps built programs for the next run. Ends with
# 75 where no Docker can be had.
set -euo pipefail
cd "$(dirname "$0")/../.."
phase=$1; shift
dir=${CONTAINERS_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/voxscribe-containers}
mkdir -p "$dir/bin" "$dir/config/cli-plugins"
without() { echo "No containers are tried: $1"; exit 75; }

# A client of another engine may come first in the path.
if [ -x /usr/bin/docker ]; then ln -sf /usr/bin/docker "$dir/bin/docker"; fi
export PATH="$dir/bin:$PATH"
if ! docker info > /dev/null 2>&1; then
  if ! { [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ]; }; then without 'no Docker answers, and this is not root on Debian'; fi
  if ! unshare --mount true 2> /dev/null; then without 'this machine allows no container to be made'; fi
  if ! command -v dockerd > /dev/null; then
    for _ in 1 2 3; do apt-get update -qq && break; sleep 5; done
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends docker.io iptables > /dev/null
  fi
  ln -sf /usr/bin/docker "$dir/bin/docker"
  dockerd > "$dir/dockerd.log" 2>&1 &
  trap "kill $! || true; wait $! || true" EXIT
  for _ in $(seq 60); do docker info > /dev/null 2>&1 && break; sleep 1; done
  docker info > /dev/null || { tail -5 "$dir/dockerd.log"; exit 1; }
fi

export DOCKER_CONFIG="$dir/config"
# Debian's Compose cannot read the file.
version=v2.40.3
if ! docker compose version > /dev/null 2>&1; then
  sources=$(GOFLAGS=-mod=mod go mod download -json "github.com/docker/compose/v2@$version" | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
  rm -rf "$dir/compose" && cp -r "$sources" "$dir/compose" && chmod -R u+w "$dir/compose"
  (cd "$dir/compose" && go build -ldflags "-s -w -X github.com/docker/compose/v2/internal.Version=$version" \
    -o "$dir/config/cli-plugins/docker-compose" ./cmd)
  rm -rf "$dir/compose"
fi

if [ "$phase" = test ]; then
  stand_in=$(docker inspect --format '{{index .Config.Labels "voxscribe.stand-in"}}' "$(bash e2e/containers/base-images.sh --named mongo)")
  if [ "$stand_in" = mongo ]; then
    # It is no replica set.
    export MONGO_URL='mongodb://mongodb:27017/?directConnection=true'
    echo 'The image mongo holds embedded-mongo: no registry of packages has MongoDB.'
  fi
  npm run --silent test:containers -- "$@"
  exit
fi

bash e2e/containers/base-images.sh "$dir"
# Debian is as it is today, whose archive is reached by other mirrors, too; the classic builder needs no image of its own.
image() {
  DOCKER_BUILDKIT=0 docker build --quiet --network host --file deploy/Dockerfile --build-arg DEBIAN_SNAPSHOT= \
    --build-arg "SERVICE=$1" "${target[@]}" --tag "voxscribe/$1:local" . > /dev/null
}
for service in auth billing gateway ingestion notification transcription sandbox one-box; do
  target=(); [ "$service" = one-box ] && target=(--target one-box)
  started=$SECONDS
  # Once more after a mirror that breaks off.
  image "$service" || image "$service"
  echo "voxscribe/$service:local is built: $((SECONDS - started)) s"
done
if [ "$phase" = cluster ]; then bash e2e/cluster/run.sh "$dir/cluster" "$@"; fi
