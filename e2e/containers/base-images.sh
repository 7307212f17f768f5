#!/usr/bin/env bash
# Makes what is missing of the images that deploy/Dockerfile, docker-compose.yml and the suites name, where no registry of
# images is reached: base-images.sh FOLDER, which keeps built programs; as root on Debian. `--named NAME` names one.
#   node      Debian by debootstrap, Node and npm from npm's packages
#   rabbitmq  Debian's RabbitMQ with an entry point that reads the variables of the original
#   mongo     stand-ins/embedded-mongo with a `mongod` and a `mongosh` that answer what Compose and testcontainers ask
#   seaweedfs versitygw, an S3 server in Go, called as SeaweedFS' program
#   alpine    Debian, by the name with which docs/operations.md packs volumes
set -euo pipefail
cd "$(dirname "$0")/../.."
named() { sed -nE "s#^(.*image: |ARG NODE_IMAGE=)($1:[0-9a-z.-]+)\$#\2#p" deploy/Dockerfile docker-compose.yml | head -1; }
if [ "$1" = --named ]; then named "$2"; exit; fi
programs=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
export DOCKER_BUILDKIT=0
have() { docker image inspect "$1" > /dev/null 2>&1; }
build() { docker build --quiet --network host --tag "$1" "$2" > /dev/null; }
DEBIAN=voxscribe/debian:bookworm

debian() {
  command -v debootstrap > /dev/null || apt-get install -y -qq --no-install-recommends debootstrap > /dev/null
  local mirror root="$work/root" place
  mirror=$(sed -nE 's/^URIs: *//p; s/^deb +(\[[^]]*\] +)?([^ ]+) .*/\2/p' /etc/apt/sources.list \
    /etc/apt/sources.list.d/debian.sources 2> /dev/null | head -1 || true)
  debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} > "$work/log" || { tail -5 "$work/log"; return 1; }
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/log/* "$root"/usr/share/{doc,man,info,locale}/*
  place=/etc/apt/sources.list.d/debian.sources
  if [ -f "$place" ]; then : > "$root/etc/apt/sources.list"; cp "$place" "$root$place"; fi
  # What this machine trusts, a proxy's certificate for instance.
  mkdir -p "$root/etc/ssl/certs" && cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/machine.crt"
  tar -C "$root" -c . | docker import \
    -c 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
    -c 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/machine.crt PIP_CERT=/etc/ssl/machine.crt' -c 'CMD ["bash"]' - "$DEBIAN" > /dev/null
  rm -rf "$root"
}

node() {
  mkdir "$work/node" && cp -L node_modules/node/bin/node "$work/node/node"
  (cd "$work/node" && npm pack --silent npm@11 > /dev/null && tar -xzf npm-11*.tgz && mv package npm && rm npm-11*.tgz)
  cat > "$work/node/Dockerfile" <<END
FROM $DEBIAN
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN for name in npm npx; do ln -s "../lib/node_modules/npm/bin/\$name-cli.js" "/usr/local/bin/\$name"; done \\
  && chmod +x /usr/local/lib/node_modules/npm/bin/*-cli.js && npm --version
CMD ["node"]
END
  build "$1" "$work/node"
}

rabbitmq() {
  mkdir "$work/rabbitmq"
  cat > "$work/rabbitmq/entry" <<'END'
#!/bin/sh
set -eu
umask 077
cat > /etc/rabbitmq/conf.d/10-given.conf <<CONF
default_user = ${RABBITMQ_DEFAULT_USER:-guest}
default_pass = ${RABBITMQ_DEFAULT_PASS:-guest}
loopback_users = none
log.console = true
log.file = false
CONF
chown -R rabbitmq:rabbitmq /var/lib/rabbitmq /etc/rabbitmq
exec setpriv --reuid rabbitmq --regid rabbitmq --init-groups env HOME=/var/lib/rabbitmq "$@"
END
  chmod 755 "$work/rabbitmq/entry"
  cat > "$work/rabbitmq/Dockerfile" <<END
FROM $DEBIAN
RUN printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d && chmod +x /usr/sbin/policy-rc.d && apt-get update \\
  && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends rabbitmq-server \\
  && rm -rf /var/lib/apt/lists/* /var/lib/rabbitmq/* /var/lib/rabbitmq/.erlang.cookie \\
  && mkdir -p /etc/rabbitmq/conf.d && echo '[rabbitmq_management].' > /etc/rabbitmq/enabled_plugins
COPY entry /usr/local/bin/entry
VOLUME /var/lib/rabbitmq
EXPOSE 5672 15672
# Debian's script would become another user first.
ENV PATH=/usr/lib/rabbitmq/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin RABBITMQ_LOGS=- HOME=/var/lib/rabbitmq
ENTRYPOINT ["entry"]
CMD ["rabbitmq-server"]
END
  build "$1" "$work/rabbitmq"
}

mongo() {
  mkdir -p "$work/mongo/app/node_modules"
  cp -rL stand-ins/embedded-mongo "$work/mongo/app/embedded-mongo"
  cp -rL node_modules/bson "$work/mongo/app/node_modules/bson"
  cat > "$work/mongo/app/mongod.ts" <<'END'
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { startEmbeddedMongo } from './embedded-mongo/src/index.ts'

// The database listens on 127.0.0.1 only: connections from outside the container are passed on.
const INSIDE = 27018
const database = await startEmbeddedMongo({ path: '/data/db', port: INSIDE })
const server = createServer(client => {
  pipeline(client, connect(INSIDE, '127.0.0.1'), client).catch(() => {})
}).listen(27017)
process.stdout.write('Waiting for connections\n')
for (const signal of ['SIGTERM', 'SIGINT'])
  process.once(signal, async () => {
    server.close()
    await database.stop()
    process.exit(0)
  })
END
  cat > "$work/mongo/mongosh" <<'END'
#!/usr/bin/env node
// Health checks only ask whether the database listens.
require('node:net').connect(27017, '127.0.0.1').on('connect', () => process.exit(0)).on('error', () => process.exit(1))
END
  printf '#!/bin/sh\nexec node --disable-warning=ExperimentalWarning /app/mongod.ts\n' > "$work/mongo/mongod"
  # testcontainers gives options only.
  printf '#!/bin/sh\ncase "${1:-}" in -*|"") exec mongod "$@";; *) exec "$@";; esac\n' > "$work/mongo/entry"
  chmod 755 "$work/mongo"/{mongosh,mongod,entry}
  cat > "$work/mongo/Dockerfile" <<END
FROM $(named node)
COPY app /app
COPY mongosh mongod entry /usr/local/bin/
RUN mkdir -p /data/db
LABEL voxscribe.stand-in=mongo
VOLUME /data/db
EXPOSE 27017
ENTRYPOINT ["entry"]
CMD ["mongod"]
END
  build "$1" "$work/mongo"
}

seaweedfs() {
  mkdir "$work/seaweedfs"
  VERSITYGW_DIR="$programs" bash e2e/s3.sh --build && cp "$programs/versitygw" "$work/seaweedfs/"
  cat > "$work/seaweedfs/weed" <<'END'
#!/bin/sh
mkdir -p "/data/store/$S3_BUCKET" /data/about
exec versitygw --port :8333 --access "$AWS_ACCESS_KEY_ID" --secret "$AWS_SECRET_ACCESS_KEY" --quiet \
  posix --sidecar /data/about /data/store
END
  chmod 755 "$work/seaweedfs/weed"
  cat > "$work/seaweedfs/Dockerfile" <<END
FROM $DEBIAN
RUN apt-get update && apt-get install -y --no-install-recommends curl && rm -rf /var/lib/apt/lists/*
COPY weed versitygw /usr/bin/
VOLUME /data
ENTRYPOINT ["weed"]
END
  build "$1" "$work/seaweedfs"
}

alpine() { docker tag "$DEBIAN" "$1"; }

# A registry that is not reached is asked once.
isReached=true
for image in node rabbitmq mongo chrislusf/seaweedfs alpine; do
  name=$(named "$image"); name=${name:-$image:latest}
  if have "$name"; then continue; fi
  if [ $isReached = true ] && timeout 30 docker pull --quiet "$name" > /dev/null 2>&1; then continue; fi
  isReached=false
  have "$DEBIAN" || debian
  "${image#*/}" "$name"
  echo "$name is made"
done
