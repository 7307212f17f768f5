import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { SERVICES } from '@voxscribe/contracts/events'
import { addressOf, api } from '@voxscribe/contracts/http'
import * as appsV1 from 'kubernetes-models/apps/v1'
import * as autoscalingV2 from 'kubernetes-models/autoscaling/v2'
import * as batchV1 from 'kubernetes-models/batch/v1'
import * as networkingV1 from 'kubernetes-models/networking.k8s.io/v1'
import * as policyV1 from 'kubernetes-models/policy/v1'
import * as coreV1 from 'kubernetes-models/v1'
import { parse, parseAllDocuments } from 'yaml'
import { settingsOf } from '../deploy/service-settings.ts'
import { workersFor } from '../packages/speech/src/local-model/pool.ts'
import { DEFAULT } from '../packages/speech/src/models/table.ts'
import { transcriptionSettings } from '../services/transcription/src/settings.ts'
import { documentsOf, render } from './render.ts'

interface Container {
  image: string
  env?: { name: string; value?: string }[]
  envFrom: { secretRef?: { name: string } }[]
  securityContext?: Record<string, unknown>
  resources?: { requests?: Record<string, string>; limits?: Record<string, string> }
  [probe: `${string}Probe`]: { httpGet?: { path: string; port: string } }
}
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  // biome-ignore lint/suspicious/noExplicitAny: every kind has another shape; the schemas check it
  spec?: any
}

const here = (path: string) => join(import.meta.dirname, path)
const files = globSync('**/*.yaml', { cwd: import.meta.dirname })
const kustomizations = files.filter(path => path.endsWith('kustomization.yaml'))
const base: Manifest[] = render(here('base'))
const overlays = files
  .filter(path => path.startsWith('overlays/') && !path.endsWith('kustomization.yaml'))
  .flatMap(path => documentsOf(here(path)).map((manifest: Manifest) => ({ path, manifest })))
const manifests = [...base.map(manifest => ({ path: 'base', manifest })), ...overlays]
function find(kind: string, name: string) {
  const found = base.find(manifest => manifest.kind === kind && manifest.metadata.name === name)
  if (!found) throw new Error(`There is no ${kind} ${name}`)
  return found
}
const containerOf = (service: string): Container =>
  find('Deployment', service).spec.template.spec.containers[0]

/** Returns the names in a service's secret, as the local overlay creates it. */
function secretsOf(service: string): string[] {
  const [{ secretGenerator }] = documentsOf(here('overlays/local/kustomization.yaml'))
  const { literals = [], files = [] } =
    secretGenerator.find(({ name }: { name: string }) => name === service) ?? {}
  return [...literals, ...files].map((entry: string) => entry.split('=')[0]!)
}

type Model = new (manifest: object) => { validate(): void }
/** Kubernetes's own schemas, by API version and kind. */
const SCHEMAS = {
  v1: coreV1,
  'apps/v1': appsV1,
  'autoscaling/v2': autoscalingV2,
  'batch/v1': batchV1,
  'networking.k8s.io/v1': networkingV1,
  'policy/v1': policyV1,
} as unknown as Record<string, Record<string, Model>>

/** Kinds that operators define. Kubernetes has no schemas for them, so required fields are listed here. */
const CUSTOM: Record<string, { apiVersion: string; needs: string[] }> = {
  RabbitmqCluster: { apiVersion: 'rabbitmq.com/v1beta1', needs: ['replicas', 'image', 'persistence'] },
  ScaledObject: { apiVersion: 'keda.sh/v1alpha1', needs: ['scaleTargetRef', 'triggers'] },
  PrometheusRule: { apiVersion: 'monitoring.coreos.com/v1', needs: ['groups'] },
  PodMonitor: { apiVersion: 'monitoring.coreos.com/v1', needs: ['selector', 'podMetricsEndpoints'] },
  SecretStore: { apiVersion: 'external-secrets.io/v1', needs: ['provider'] },
  Gateway: { apiVersion: 'gateway.networking.k8s.io/v1', needs: ['gatewayClassName', 'listeners'] },
  HTTPRoute: { apiVersion: 'gateway.networking.k8s.io/v1', needs: ['parentRefs', 'hostnames', 'rules'] },
  ExternalSecret: { apiVersion: 'external-secrets.io/v1', needs: ['secretStoreRef', 'target', 'dataFrom'] },
}

describe('every manifest', () => {
  test.each(
    manifests.map(({ path, manifest }) => [path, manifest.kind, manifest.metadata.name, manifest] as const),
  )('when %s has the %s %s, then it keeps to its schema', (_path, kind, _name, manifest) => {
    const custom = CUSTOM[kind]
    if (custom) {
      expect(manifest.apiVersion).toBe(custom.apiVersion)
      expect(Object.keys(manifest.spec)).toEqual(expect.arrayContaining(custom.needs))
      return
    }
    const Schema = SCHEMAS[manifest.apiVersion]?.[kind]
    if (!Schema) throw new Error(`${manifest.apiVersion} ${kind} is not known`)
    new Schema(manifest).validate()
  })

  test('when it needs an operator, then the local overlay leaves it out', () => {
    const [{ patches }] = documentsOf(here('overlays/local/kustomization.yaml')) as [
      { patches: { target: { kind: string; name?: string }; patch: string }[] },
    ]
    const left = patches
      .filter(({ patch }) => patch.includes('$patch: delete'))
      .map(({ target }) => `${target.kind} ${target.name}`)
    const custom = base.filter(({ kind }) => kind in CUSTOM)
    expect(left.sort()).toEqual(custom.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort())
  })

  test('when a folder has a file, then its kustomization takes it in', () => {
    for (const path of kustomizations) {
      const folder = dirname(path)
      const [{ resources = [], components = [], patches = [] }] = documentsOf(here(path))
      const taken = [...resources, ...components, ...patches.map((patch: { path?: string }) => patch.path)]
      const around = files
        .filter(file => file.startsWith(`${folder}/`) && file !== path)
        .map(file => file.slice(folder.length + 1).replace('/kustomization.yaml', ''))
        .filter(file => !file.includes('/'))
      expect(taken.filter(name => name && !name.startsWith('..')).sort()).toEqual(around.sort())
    }
  })

  const kubectl = spawnSync('kubectl', ['kustomize', here('base')], { encoding: 'utf8' })
  const testWhereKubectlIs = kubectl.error ? test.skip : test
  testWhereKubectlIs('when kubectl renders the base, then to the same manifests', () => {
    expect(kubectl).toMatchObject({ status: 0 })
    const byName = (list: Manifest[]) =>
      Object.fromEntries(list.map(manifest => [`${manifest.kind} ${manifest.metadata.name}`, manifest.spec]))
    const real = parseAllDocuments(kubectl.stdout.replace(/voxscribe-\w{10}/g, 'voxscribe'))
    const manifests = real.map(document => document.toJS() as Manifest)
    expect(byName(base)).toEqual(byName(manifests.filter(({ kind }) => kind !== 'ConfigMap')))
  })
})

/** Deployments that use a provider's engine, and models in the pods. */
const TRANSCRIBING = ['transcription', 'transcription-local']

test('when a pod recognises speech, then its memory has room for as many workers as it has cores', () => {
  const { requests, limits } = containerOf('transcription-local').resources ?? {}
  const cores = Number(limits?.cpu)
  const megabytes = (Number.parseInt(limits?.memory ?? '', 10) * 1024 ** 2) / 1e6
  expect(workersFor(DEFAULT.workerMegabytes, { cores, megabytes })).toBe(cores)
  expect(requests?.memory).toBe(limits?.memory)
})

test('when pods need a model, then one pod fetches it into a volume that all of them read', () => {
  expect(find('PersistentVolumeClaim', 'models').spec.accessModes).toEqual(['ReadWriteMany'])
  const { replicas, template } = find('Deployment', 'models').spec
  const { metadata, spec: fetching } = template
  expect(replicas).toBe(1)
  const { spec: pod } = find('Deployment', 'transcription-local').spec.template
  const volume = { name: 'models', persistentVolumeClaim: { claimName: 'models' } }
  expect(fetching.volumes).toEqual([volume])
  expect(pod.volumes).toContainEqual(volume)
  const mount = { name: 'models', mountPath: '/models' }
  expect(fetching.containers[0]).toMatchObject({ image: pod.containers[0].image, volumeMounts: [mount] })
  expect(pod.containers[0].volumeMounts).toContainEqual({ ...mount, readOnly: true })
  const [{ values }] = find('NetworkPolicy', 'providers').spec.podSelector.matchExpressions
  expect(values).toContain(metadata.labels['app.kubernetes.io/name'])
})

describe.each(SERVICES)('%s', service => {
  test('when it is deployed, then it has all that keeps it running', () => {
    for (const kind of ['Deployment', 'Service', 'ServiceAccount', 'PodDisruptionBudget', 'NetworkPolicy'])
      expect(find(kind, service)).toBeDefined()
    const scaler = service === 'transcription' ? 'ScaledObject' : 'HorizontalPodAutoscaler'
    expect(find(scaler, service).spec.scaleTargetRef.name).toBe(service)
    const { topologySpreadConstraints } = find('Deployment', service).spec.template.spec
    expect(topologySpreadConstraints).toHaveLength(2)
    expect(containerOf(service).resources?.requests).toMatchObject({
      cpu: expect.any(String),
      memory: expect.any(String),
    })
    expect(containerOf(service).resources?.limits).toMatchObject({ memory: expect.any(String) })
  })

  test('when it is probed, then at its management port', () => {
    const { startupProbe, readinessProbe, livenessProbe } = containerOf(service)
    expect(startupProbe?.httpGet).toEqual({ path: '/readyz', port: 'management' })
    expect(readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'management' })
    expect(livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'management' })
  })

  test('when it runs, then without privileges and with read-only files', () => {
    const pod = find('Deployment', service).spec.template.spec
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    })
    expect(pod.automountServiceAccountToken).toBe(false)
    expect(containerOf(service).securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
  })

  test('when it is given settings, then they are settings of its', () => {
    const given = (containerOf(service).env ?? []).map(({ name }) => name)
    expect(settingsOf(service)).toEqual(expect.arrayContaining([...given, ...secretsOf(service)]))
  })
})

describe('the end of a pod', () => {
  const STOP_MS = 9_000
  const RELEASE_MS = 2_000

  test('when calls of a provider last, then a pod is not killed before they may have ended', () => {
    const { terminationGracePeriodSeconds, containers } = find('Deployment', 'transcription').spec.template
      .spec
    const preStop = Number(containers[0].lifecycle.preStop.exec.command[1])
    const drain = transcriptionSettings.shape.DRAIN_TIMEOUT.parse(undefined)
    expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(
      preStop * 1000 + drain + RELEASE_MS + STOP_MS,
    )
  })
})

describe('the system', () => {
  test('when Prometheus runs by its operator, then it has the rules that are tested, and finds every service', () => {
    const [rule] = documentsOf(here('overlays/production/alerts.yaml'))
    const [{ groups }] = documentsOf(here('../deploy/monitoring/alerts.yml'))
    expect(rule.spec.groups).toEqual(groups)
    const [{ spec }] = documentsOf(here('overlays/production/pod-monitor.yaml'))
    const [endpoint] = spec.podMetricsEndpoints
    for (const service of SERVICES) {
      const { template } = find('Deployment', service).spec
      expect(template.metadata.labels).toMatchObject(spec.selector.matchLabels)
      expect(template.spec.containers[0].ports.map(({ name }: { name: string }) => name)).toContain(
        endpoint.port,
      )
    }
  })

  test('when a container runs, then its memory is requested and limited', () => {
    for (const { path, manifest } of manifests) {
      const { kind, metadata, spec } = manifest
      const pod = spec?.template?.spec
      for (const { name, resources } of [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])])
        expect({ path, kind, of: metadata.name, name, resources }).toMatchObject({
          resources: {
            requests: { memory: expect.any(String) },
            limits: { memory: expect.any(String) },
          },
        })
    }
  })

  test('when a common setting is given, then some service reads it', () => {
    const known = new Set(SERVICES.flatMap(settingsOf))
    const given = kustomizations
      .flatMap(path => documentsOf(here(path)) as { configMapGenerator?: { literals: string[] }[] }[])
      .flatMap(({ configMapGenerator = [] }) => configMapGenerator.flatMap(({ literals }) => literals))
      .map(literal => literal.split('=')[0]!)
    expect(given).toContain('LOG_LEVEL')
    expect(given.filter(name => !known.has(name))).toEqual([])
  })

  test('when the sandbox stands in for the providers, then all have the settings for it that they have in Compose', () => {
    const { services } = parse(readFileSync(here('../docker-compose.override.yml'), 'utf8'), {
      merge: true,
    }) as { services: Record<string, { environment: Record<string, string | null> }> }
    const [{ configMapGenerator }] = documentsOf(here('overlays/local/kustomization.yaml'))
    const common: string[] = configMapGenerator[0].literals.map((entry: string) => entry.split('=')[0])
    const { spec } = overlays.find(({ manifest }) => manifest.kind === 'Deployment')!.manifest
    const { env, envFrom } = spec.template.spec.containers[0]
    expect(envFrom).toEqual([{ secretRef: { name: 'sandbox' } }])
    const ofSandbox = env.map(({ name }: { name: string }) => name)
    for (const name of ['sandbox', ...SERVICES]) {
      const inCompose = Object.entries(services[name]?.environment ?? {}).flatMap(([setting, value]) =>
        value?.includes('-') ? [setting] : [],
      )
      const given = [...secretsOf(name), ...(name === 'sandbox' ? ofSandbox : common)]
      expect({ name, given }).toEqual({ name, given: expect.arrayContaining(inCompose) })
    }
    expect(spec.template.spec.enableServiceLinks).toBe(false)
  })

  test('when someone comes from outside, then only the gateway is there', () => {
    const backends = base
      .filter(({ kind }) => kind === 'HTTPRoute')
      .flatMap(({ spec }) =>
        spec.rules.flatMap((rule: { backendRefs: { name: string }[] }) => rule.backendRefs),
      )
      .map(({ name }) => name)
    expect(new Set(backends)).toEqual(new Set(['gateway']))
    for (const { manifest } of manifests)
      if (manifest.kind === 'Service') expect(manifest.spec.type ?? 'ClusterIP').toBe('ClusterIP')
    expect(find('NetworkPolicy', 'default-deny').spec.podSelector).toEqual({})
    for (const service of SERVICES.filter(name => name !== 'gateway')) {
      const [http, management] = find('NetworkPolicy', service).spec.ingress
      expect(http.from).toEqual([{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'gateway' } } }])
      expect(management.ports).toEqual([{ port: 'management' }])
    }
  })

  test.each(TRANSCRIBING)(
    'when %s is scaled, then by notes that wait and are in hand, in its database',
    name => {
      const [{ type, metadata }] = find('ScaledObject', name).spec.triggers
      expect(type).toBe('mongodb')
      expect(secretsOf('transcription')).toContain(metadata.connectionStringFromEnv)
      expect(metadata.dbName).toBe('voxscribe_transcription')
      expect(JSON.parse(metadata.query)).toEqual({ 'work.step': { $in: ['measuring', 'listening'] } })
    },
  )

  test('when a program waits for its text, or a page for events, then the route waits as long', () => {
    const rules: { matches: { path: { value: string } }[]; timeouts: { request: string } }[] = find(
      'HTTPRoute',
      'voxscribe',
    ).spec.rules
    const timeoutOf = (path: string) =>
      rules.find(({ matches }) => matches.some(({ path: { value } }) => value === path))?.timeouts.request
    expect(timeoutOf(addressOf(api.transcriptionEvents))).toBe('0s')
    expect(Number.parseInt(timeoutOf('/') ?? '', 10)).toBeGreaterThan(600)
  })

  test('when production is reached, then by https alone, with a certificate', () => {
    const [{ patches }] = documentsOf(here('overlays/production/kustomization.yaml')) as [
      { patches: { target: { kind: string }; patch: string }[] },
    ]
    const changesOf = (kind: string) =>
      parse(patches.find(({ target }) => target.kind === kind)?.patch ?? '') as {
        path: string
        value: unknown
      }[]
    expect(changesOf('Gateway')).toContainEqual(
      expect.objectContaining({
        path: '/spec/listeners/-',
        value: expect.objectContaining({ name: 'https', protocol: 'HTTPS', port: 443 }),
      }),
    )
    const section = { path: '/spec/parentRefs/0/sectionName', op: 'replace', value: 'https' }
    expect(changesOf('HTTPRoute')).toContainEqual(section)
    const { spec } = overlays.find(({ manifest }) => manifest.metadata.name === 'to-https')!.manifest
    expect(spec.rules[0].filters[0].requestRedirect.scheme).toBe('https')
  })

  test.each(TRANSCRIBING)(
    'when notes take all the disk of %s that they may, then it is not evicted',
    name => {
      const { volumes } = find('Deployment', name).spec.template.spec
      const { sizeLimit } = volumes.find(({ name }: { name: string }) => name === 'tmp').emptyDir
      const budget = containerOf(name).env?.find(({ name }) => name === 'WORK_DISK_BUDGET')?.value
      const megabytes = (Number(sizeLimit.replace(/Gi$/, '')) * 1024 ** 3) / 1e6
      expect(Number(budget)).toBeLessThan(0.8 * megabytes)
    },
  )

  test('when nodes are drained, then RabbitMQ keeps two of its three', () => {
    const { replicas } = find('RabbitmqCluster', 'rabbitmq').spec
    const { maxUnavailable, selector } = find('PodDisruptionBudget', 'rabbitmq').spec
    expect(replicas - maxUnavailable).toBeGreaterThan(replicas / 2)
    expect(selector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'rabbitmq' })
  })

  test.each(['local', 'production'])(
    'when %s is built, then it says which image each service has',
    overlay => {
      const [{ images }] = documentsOf(here(`overlays/${overlay}/kustomization.yaml`)) as [
        { images: { name: string; newTag: string }[] },
      ]
      const named = images.filter(({ newTag }) => newTag).map(({ name }) => name)
      expect(named).toEqual(expect.arrayContaining(SERVICES.map(service => `voxscribe/${service}`)))
    },
  )

  test('when a secret is needed, then production gets it from its store', () => {
    const external = manifests.flatMap(({ manifest }) =>
      manifest.kind === 'ExternalSecret' ? [manifest.spec.target.name] : [],
    )
    const used = SERVICES.flatMap(service =>
      containerOf(service).envFrom.flatMap(({ secretRef }) => secretRef?.name ?? []),
    )
    expect(used).toEqual(SERVICES.filter(service => service !== 'gateway'))
    expect(used.sort()).toEqual(external.sort())
  })
})
