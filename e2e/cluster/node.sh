#!/usr/bin/env bash
# A Kubernetes node with its control plane, in the container of run.sh. Ends when one of its programs does.
set -euo pipefail
address=$(hostname --ip-address)
mkdir -p /cluster/log /etc/cni/net.d /var/lib/voxscribe
cd /cluster

# The kubelet would set these for the whole machine.
for setting in vm/overcommit_memory vm/panic_on_oom kernel/panic kernel/panic_on_oops \
  kernel/keys/root_maxkeys kernel/keys/root_maxbytes; do
  copy=$(mktemp) && cat "/proc/sys/$setting" > "$copy" && mount --bind "$copy" "/proc/sys/$setting"
done
mount -o remount,rw /sys
for controller in /sys/fs/cgroup/*; do mount -o remount,bind,rw "$controller"; done
mount --make-rshared /

openssl genrsa -out accounts.key 2048 2> /dev/null
echo 'admin,admin,admin,system:masters' > tokens.csv
cat > kubeconfig <<'YAML'
apiVersion: v1
kind: Config
clusters: [{ name: here, cluster: { server: 'https://127.0.0.1:6443', insecure-skip-tls-verify: true } }]
users: [{ name: admin, user: { token: admin } }]
contexts: [{ name: here, context: { cluster: here, user: admin } }]
current-context: here
YAML
cat > containerd.toml <<'TOML'
version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/voxscribe/pause:local"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
TOML
# Every pod has a line to the node of its own: no bridge, so all of their traffic meets the rules of kube-proxy.
cat > /etc/cni/net.d/pods.conflist <<'JSON'
{ "cniVersion": "0.4.0", "name": "pods", "plugins": [{ "type": "ptp", "ipMasq": true,
  "ipam": { "type": "host-local", "subnet": "10.244.0.0/24", "routes": [{ "dst": "0.0.0.0/0" }] } }] }
JSON
cat > kubelet.yaml <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }
authorization: { mode: AlwaysAllow }
failCgroupV1: false
cgroupDriver: cgroupfs
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
clusterDomain: cluster.local
clusterDNS: [$address]
evictionHard: { memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1% }
YAML
cat > Corefile <<CORE
.:53 {
  errors
  kubernetes cluster.local {
    kubeconfig /cluster/kubeconfig
  }
  forward . /etc/resolv.conf
}
CORE

start() { (name=$1; shift; "$@" > "log/$name.log" 2>&1 || echo "$name has ended") & }
start etcd /programs/etcd --data-dir /var/lib/etcd --unsafe-no-fsync
start kube-apiserver /programs/kube-apiserver --etcd-servers http://127.0.0.1:2379 --cert-dir certs \
  --service-account-key-file accounts.key --service-account-signing-key-file accounts.key \
  --service-account-issuer https://kubernetes.default.svc --token-auth-file tokens.csv --authorization-mode RBAC \
  --service-cluster-ip-range 10.96.0.0/16 --allow-privileged
start containerd containerd --config containerd.toml
until /programs/kubectl --kubeconfig kubeconfig get --raw /readyz > /dev/null 2>&1; do sleep 1; done
start kube-controller-manager /programs/kube-controller-manager --kubeconfig kubeconfig \
  --service-account-private-key-file accounts.key --root-ca-file certs/apiserver.crt
start kube-scheduler /programs/kube-scheduler --kubeconfig kubeconfig
start kubelet /programs/kubelet --kubeconfig kubeconfig --config kubelet.yaml --node-ip "$address" --hostname-override node
# Connection tracking has limits for the machine, not for a container.
start kube-proxy /programs/kube-proxy --kubeconfig kubeconfig --hostname-override node --cluster-cidr 10.244.0.0/24 \
  --conntrack-max-per-core 0 --conntrack-tcp-timeout-established 0 --conntrack-tcp-timeout-close-wait 0
start coredns /programs/coredns -conf Corefile
until /programs/kubectl --kubeconfig kubeconfig get node node > /dev/null 2>&1; do sleep 1; done
# Debian's CNI plugins know no network policies: this puts them into the rules of iptables.
start kube-router /programs/kube-router --kubeconfig kubeconfig --hostname-override node --run-firewall \
  --run-router=false --run-service-proxy=false --service-cluster-ip-range 10.96.0.0/16
wait -n
