#!/usr/bin/env bash
# Builds the programs of a Kubernetes node from the Go module proxy: programs.sh FOLDER, which keeps them for the next run.
set -euo pipefail
kubernetes=34.4 coredns=v1.13.1 kube_router=v2.1.0
mkdir -p "$1"
programs=$(cd "$1" && pwd)
sources=$(mktemp -d); trap 'rm -rf "$sources"' EXIT
export GOFLAGS=-mod=mod CGO_ENABLED=0
cd "$sources"

# k8s.io/kubernetes has its parts in folders of its repository; here they are the modules published with it.
manifest=$(go mod download -json "k8s.io/kubernetes@v1.$kubernetes" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
cat > go.mod <<END
module cluster
$(grep '^go ' "$manifest")
require (
	k8s.io/kubernetes v1.$kubernetes
	github.com/coredns/coredns $coredns
)
replace (
$(sed -nE "s#^\t(k8s.io/[a-z-]+) => .*#\t\1 => \1 v0.$kubernetes#p" "$manifest" | sort -u)
)
END
# CoreDNS with what names in a cluster need, without its plugins for clouds.
mkdir coredns
cat > coredns/main.go <<'END'
package main

import (
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/forward"
	_ "github.com/coredns/coredns/plugin/kubernetes"
)

func main() { coremain.Run() }
END

for program in kube-apiserver kubectl kube-controller-manager kube-scheduler kubelet kube-proxy etcd coredns; do
  if [ -x "$programs/$program" ]; then continue; fi
  case $program in
    etcd) package=go.etcd.io/etcd/server/v3 ;;
    coredns) package=./coredns ;;
    *) package=k8s.io/kubernetes/cmd/$program ;;
  esac
  started=$SECONDS
  go build -ldflags '-s -w' -o "$programs/$program" "$package"
  echo "$program is built: $((SECONDS - started)) s"
done
# The newest that is published as a module, with the libraries of its own time.
if [ ! -x "$programs/kube-router" ]; then
  started=$SECONDS
  GOBIN="$programs" go install -ldflags '-s -w' "github.com/cloudnativelabs/kube-router/v2/cmd/kube-router@$kube_router"
  echo "kube-router is built: $((SECONDS - started)) s"
fi
