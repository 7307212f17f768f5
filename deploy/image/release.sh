#!/bin/sh
# release.sh FOLDER [REGISTRY VERSION] [IMAGE]...
#
# Writes the SBOM of every image (or of those named) to FOLDER: its npm packages by `npm sbom`, as CycloneDX. With a
# registry, also builds each image for amd64 and arm64 and pushes it as REGISTRY/voxscribe/IMAGE:VERSION, with BuildKit's
# own SBOM (Syft: Debian's packages, too) and provenance attached: `docker buildx imagetools inspect` shows them.
set -eu
[ $# -ge 1 ] || { sed -n 2p "$0"; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd) registry=${2:-} version=${3:-}
cd "$(dirname "$0")/../.."
[ $# -le 3 ] && set -- '' '' '' auth billing gateway ingestion notification transcription sandbox one-box
shift 3
chosen=$(mktemp -d)
trap 'rm -rf "$chosen"' EXIT
for image in "$@"; do
  node deploy/image/choose.ts "$image" "$chosen/$image"
  # Installed as in the image: of the lockfile alone, `npm sbom` leaves out what workspaces share.
  (
    cd "$chosen/$image/manifests"
    npm ci --omit=dev --ignore-scripts --no-audit --no-fund --silent >&2
    npm sbom --omit dev --sbom-format cyclonedx
  ) > "$folder/$image.cdx.json"
  echo "$folder/$image.cdx.json"
  [ -n "$registry" ] || continue
  docker buildx build -f deploy/Dockerfile --platform linux/amd64,linux/arm64 --sbom=true --provenance=mode=max \
    --build-arg SERVICE="$image" --build-arg VERSION="$version" --build-arg REVISION="$(git rev-parse HEAD)" \
    $([ "$image" = one-box ] && echo --target one-box) -t "$registry/voxscribe/$image:$version" --push .
done
