#!/bin/sh
# Runs while an image is built: takes Debian's packages from snapshot.debian.org as of a time such as 20261120T000000Z,
# or from where the image has them when none is given.
set -eu
[ -n "${1:-}" ] || exit 0
for archive in debian debian-security; do
  suites="bookworm-security"
  [ "$archive" = debian ] && suites="bookworm bookworm-updates"
  cat <<END

Types: deb
URIs: http://snapshot.debian.org/archive/$archive/$1
Suites: $suites
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
END
done > /etc/apt/sources.list.d/debian.sources
# The Release files of that day say until when they were current.
printf 'Acquire::Check-Valid-Until "false";\nAcquire::Retries "5";\n' > /etc/apt/apt.conf.d/90-snapshot
