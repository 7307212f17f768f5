#!/usr/bin/env bash
# `npm run test:cluster`: k8s/overlays/local on a Kubernetes node in a container, whose end leaves nothing behind, with the
# images of e2e/containers/run.sh, which calls this: run.sh FOLDER [ARGUMENT FOR JEST]…; the folder keeps the programs.
# Ends with 75 where no node can be had.
set -euo pipefail
cd "$(dirname "$0")/../.."
without() { echo "No cluster is tried: $1"; exit 75; }
if ! command -v go > /dev/null; then without 'Go, which builds its programs, is not here'; fi
mkdir -p "$1" && programs=$(cd "$1" && pwd); shift
nice -n 15 bash e2e/cluster/programs.sh "$programs"

work=$(mktemp -d)
end() {
  docker logs "$node"
  rm -rf "$programs/log" && docker cp "$node:/cluster/log" "$programs" && echo "The logs of the node are in $programs/log"
  docker rm --force --volumes "$node" > /dev/null
  rm -rf "$work"
}
build() { DOCKER_BUILDKIT=0 docker build --quiet --network host --tag "$1" - > /dev/null 2>&1; }
debian=$(bash e2e/containers/base-images.sh --named node)
build voxscribe/node:local <<END_OF_IMAGE
FROM $debian
RUN apt-get update && apt-get install -y --no-install-recommends containerd runc containernetworking-plugins iptables ipset openssl
END_OF_IMAGE
build voxscribe/pause:local <<END_OF_IMAGE
FROM $debian
CMD ["sleep", "infinity"]
END_OF_IMAGE

# Not --privileged: what gives this machine may lack a capability or two.
node=$(docker run --detach --hostname node --cgroupns private --cap-add SYS_ADMIN --cap-add NET_ADMIN --cap-add SYS_PTRACE \
  --cap-add SYSLOG \
  --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined \
  --device /dev/kmsg --device-cgroup-rule 'a *:* rwm' --tmpfs /run --volume /var/lib --volume "$programs:/programs:ro" \
  --volume "$PWD/e2e/cluster/node.sh:/node.sh:ro" voxscribe/node:local bash /node.sh) \
  || without 'this Docker gives a container too little for a node'
trap end EXIT
address=$(docker exec "$node" hostname --ip-address)
inside() { nsenter --target "$(docker inspect --format '{{.State.Pid}}' "$node")" --net "$@"; }
kubectl() { inside "$programs/kubectl" --kubeconfig "$work/kubeconfig" --namespace voxscribe "$@"; }
until docker cp "$node:/cluster/kubeconfig" "$work" > /dev/null 2>&1; do sleep 1; done
until kubectl get node node 2> /dev/null | grep ' Ready'; do docker exec "$node" true; sleep 1; done
echo "The node is there: $SECONDS s"

images=(voxscribe/pause:local)
for image in rabbitmq mongo chrislusf/seaweedfs; do images+=("$(bash e2e/containers/base-images.sh --named "$image")"); done
for image in auth billing gateway ingestion notification transcription sandbox; do images+=("voxscribe/$image:local"); done
docker save "${images[@]}" | docker exec --interactive "$node" ctr --namespace k8s.io images import - > /dev/null
# One for each claim.
for volume in 1 2 3 4; do
  docker exec "$node" mkdir --mode 1777 "/var/lib/voxscribe/$volume"
  kubectl create --filename - > /dev/null <<YAML
apiVersion: v1
kind: PersistentVolume
metadata: { name: volume-$volume }
spec:
  capacity: { storage: 4Gi }
  accessModes: [ReadWriteOnce]
  hostPath: { path: /var/lib/voxscribe/$volume }
YAML
done
echo "The images are there: $SECONDS s"

# As the first lines of the overlay say.
cp -r k8s "$work"
mkdir "$work/k8s/overlays/local/keys"
node deploy/image/keys.mjs "$work"/k8s/overlays/local/keys/{private,public}.pem
kubectl apply --kustomize "$work/k8s/overlays/local"
# What stands outside of the pods here: names, and the counting engine.
kubectl create --filename - > /dev/null <<YAML
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: node-names }
spec:
  podSelector: {}
  policyTypes: [Egress]
  egress: [{ to: [{ ipBlock: { cidr: $address/32 } }], ports: [{ port: 53, protocol: UDP }, { port: 53 }] }]
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: node-engine }
spec:
  podSelector: { matchLabels: { app.kubernetes.io/name: transcription } }
  policyTypes: [Egress]
  egress: [{ to: [{ ipBlock: { cidr: $address/32 } }] }]
YAML
if ! kubectl wait --for condition=Available deployment --all --timeout 15m; then
  kubectl get pods --output wide
  kubectl get events --sort-by .lastTimestamp | tail -30
  exit 1
fi
echo "Every pod is ready: $SECONDS s"
inside env PATH="$programs:$PATH" KUBECONFIG="$work/kubeconfig" \
  node --experimental-vm-modules --no-warnings node_modules/jest/bin/jest.js --config e2e/cluster/jest.config.mjs "$@"
