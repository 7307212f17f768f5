import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

// biome-ignore lint/suspicious/noExplicitAny: every kind has another shape; the schemas check it
type Yaml = any

interface Kustomization {
  resources?: string[]
  components?: string[]
  patches?: { path: string }[]
  replacements?: Replacement[]
}
interface Replacement {
  source: { kind: string; fieldPath: string }
  targets: {
    select: { kind: string }
    fieldPaths: string[]
    options?: { delimiter: string; index: number }
  }[]
}

/** Returns a file's YAML documents. Throws if one is invalid. */
export function documentsOf(path: string): Yaml[] {
  return parseAllDocuments(readFileSync(path, 'utf8')).map(document => {
    if (document.errors.length) throw new Error(`${path}: ${document.errors[0]}`)
    return document.toJS()
  })
}

/**
 * Returns the output of `kubectl kustomize` for a folder, as far as base/ needs it: resources, components, replacements
 * and strategic merge patches; no labels, generators or images. The tests compare the two outputs where kubectl is
 * installed.
 */
export function render(folder: string, given: Yaml[] = []): Yaml[] {
  const [kustomization]: Kustomization[] = documentsOf(join(folder, 'kustomization.yaml'))
  const { resources = [], components = [], replacements = [], patches = [] } = kustomization ?? {}
  let manifests = [
    ...given,
    ...resources.flatMap(name => {
      const path = join(folder, name)
      return statSync(path).isDirectory() ? render(path) : documentsOf(path)
    }),
  ]
  for (const component of components) manifests = render(join(folder, component), manifests)
  for (const replacement of replacements) replace(manifests, replacement)
  for (const patch of patches.flatMap(({ path }) => documentsOf(join(folder, path)))) {
    const isTarget = ({ kind, metadata }: Yaml) =>
      kind === patch.kind && metadata.name === patch.metadata.name
    if (!manifests.some(isTarget))
      throw new Error(`${folder} patches no ${patch.kind} ${patch.metadata.name}`)
    manifests = manifests.flatMap(manifest =>
      isTarget(manifest) ? (merge(manifest, patch) ?? []) : manifest,
    )
  }
  return manifests
}

/** Lists that the API server merges by a field of their items; other lists are replaced as a whole. */
const LIST_KEYS: Record<string, string> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
}

function merge(target: Yaml, patch: Yaml, field = ''): Yaml {
  if (patch?.$patch === 'delete') return undefined
  const key = LIST_KEYS[field]
  if (Array.isArray(patch) && Array.isArray(target) && key) {
    const same = (item: Yaml) => (other: Yaml) => item[key] === other[key]
    return [
      ...patch.map(item => merge(target.find(same(item)) ?? {}, item)).filter(Boolean),
      ...target.filter(item => !patch.some(same(item))),
    ]
  }
  if (typeof patch !== 'object' || typeof target !== 'object' || Array.isArray(patch)) return patch
  const changes = Object.entries(patch).map(([name, value]) => [name, merge(target[name], value, name)])
  return { ...target, ...Object.fromEntries(changes) }
}

function replace(manifests: Yaml[], { source, targets }: Replacement) {
  const from = manifests.find(({ kind }) => kind === source.kind)
  const [value] = places(from, source.fieldPath).map(({ parent, key }) => parent[key])
  for (const { select, fieldPaths, options } of targets)
    for (const manifest of manifests.filter(({ kind }) => kind === select.kind))
      for (const { parent, key } of fieldPaths.flatMap(path => places(manifest, path))) {
        if (parent[key] === undefined) throw new Error(`${select.kind} has no ${fieldPaths}`)
        parent[key] = options
          ? parent[key].split(options.delimiter).with(options.index, value).join(options.delimiter)
          : value
      }
}

/** Returns the places that a path such as `spec.containers.*.labels.[example.com/name]` refers to. */
function places(manifest: Yaml, path: string): { parent: Yaml; key: string }[] {
  const keys = [...path.matchAll(/\[([^\]]+)\]|([^.]+)/g)].map(([, bracketed, plain]) => bracketed ?? plain!)
  let parents = [manifest]
  for (const key of keys.slice(0, -1))
    parents = parents.flatMap(parent => (key === '*' ? parent : [parent[key]]))
  return parents.map(parent => ({ parent, key: keys.at(-1)! }))
}
