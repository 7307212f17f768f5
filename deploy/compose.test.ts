import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICES } from '@voxscribe/contracts/events'
import { parse } from 'yaml'
import { workersFor } from '../packages/speech/src/local-model/pool.ts'
import { DEFAULT } from '../packages/speech/src/models/table.ts'
import { serviceSettings, settingsOf } from './service-settings.ts'

type Environment = Record<string, string | null>
interface Service {
  image: string
  environment?: Environment
  ports?: string[]
  read_only?: boolean
  mem_limit?: string
  tmpfs?: string[]
  networks?: string[]
}
interface ComposeFile {
  services: Record<string, Service>
}

const textOf = (path: string) => readFileSync(join(import.meta.dirname, '..', path), 'utf8')
const read = (path: string): ComposeFile => parse(textOf(path), { merge: true })
const main = read('docker-compose.yml')
const override = read('docker-compose.override.yml')
const example = textOf('.env.example')

/** Settings that the image sets, or that are useless in it. */
const NOT_FOR_CONTAINERS = [
  ...['PORT', 'HOST', 'MANAGEMENT_PORT', 'DATA_DIR', 'LOG_FILE', 'WEB_DIR', 'API_DOCS'],
  ...['FFMPEG_PATH', 'SPHINX_COMMAND'],
]

/** Resolves `${NAME:-value}` as if nothing were set, innermost first. */
function withDefaults(text: string): string {
  const next = text.replace(/\$\{\w+(?::?-([^${}]*))?\}/g, (_, fallback = '') => fallback)
  return next === text ? text : withDefaults(next)
}
const environmentOf = (file: ComposeFile, service: string): Environment =>
  file.services[service]?.environment ?? {}

describe('docker-compose.yml', () => {
  test('when speech is recognised, then the container has room for two workers beside /tmp', () => {
    const { mem_limit = '', tmpfs = [] } = main.services.transcription ?? {}
    const [limit, temporary] = [
      Number.parseInt(mem_limit, 10) / 1024,
      Number(/size=(\d+)g/.exec(tmpfs[0] ?? '')?.[1]),
    ]
    const megabytes = ((limit - temporary) * 1024 ** 3) / 1e6
    expect(workersFor(DEFAULT.workerMegabytes, { cores: 8, megabytes })).toBe(2)
  })

  test.each(SERVICES)('when %s is given its settings, then they are those that it reads', service => {
    const names = Object.keys(environmentOf(main, service)).map(name => name.replace(/_FILE$/, ''))
    const expected = settingsOf(service).filter(name => !NOT_FOR_CONTAINERS.includes(name))
    expect([...new Set(names)].sort()).toEqual(expected.sort())
  })

  test.each(SERVICES)('when nothing is set and the sandbox is there, then %s would start', service => {
    const given = { ...environmentOf(main, service), ...environmentOf(override, service) }
    const env = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) =>
        value === null || name.endsWith('_FILE') ? [] : [[name, withDefaults(value)]],
      ),
    )
    const fromFiles = service === 'auth' ? ['JWT_PRIVATE_KEY is needed'] : []
    const { error } = serviceSettings[service].safeParse(env)
    expect(error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []).toEqual(fromFiles)
  })

  test('when the sandbox is left out, then no secret of a provider has a default', () => {
    expect(textOf('docker-compose.yml')).not.toMatch(/sandbox-|sk_test|whsec/)
    for (const service of SERVICES)
      for (const [name, value] of Object.entries(environmentOf(main, service)))
        if (/^(WHATSAPP|STRIPE|TWILIO|SMTP|OPENAI_API)/.test(name))
          expect({ name, value }).toEqual({ name, value: null })
  })

  test('when it runs, then only the gateway is published to other machines, and only when told', () => {
    const published = Object.entries({ ...main.services, ...override.services }).flatMap(
      ([name, { ports }]) => (ports ?? []).map(port => [name, withDefaults(port).replace(/:\d+:\d+$/, '')]),
    )
    expect(new Set(published.map(([, address]) => address))).toEqual(new Set(['127.0.0.1']))
    for (const name of SERVICES) expect(Boolean(main.services[name]?.ports)).toBe(name === 'gateway')
  })

  test('when only the ports are set, then the addresses that people see move with them', () => {
    const ports = { PORT: '18080', SANDBOX_PORT: '18090' }
    const moved = (text: string) =>
      withDefaults(text.replace(/\$\{(PORT|SANDBOX_PORT):-\d+\}/g, (_, name) => ports[name as 'PORT']))
    const seen = [main, override].flatMap(({ services }) =>
      Object.values(services).flatMap(({ environment = {} }) =>
        Object.values(environment).flatMap(value => (value?.includes('//localhost') ? [moved(value)] : [])),
      ),
    )
    expect(new Set(seen)).toEqual(
      new Set(['http://localhost:18080', 'http://localhost:18090', 'http://localhost:18090/t.me']),
    )
  })

  test('when a service keeps no media, then it does not share a network with the S3 server', () => {
    const reaching = Object.entries(main.services).filter(([, { networks }]) => networks?.includes('media'))
    expect(reaching.map(([name]) => name).sort()).toEqual([
      'doctor',
      'ingestion',
      'seaweedfs',
      'transcription',
    ])
    expect(main.services.seaweedfs?.networks).toEqual(['media'])
  })

  test('when a container runs, then it cannot write to its own files', () => {
    for (const name of [...SERVICES, 'keys']) expect(main.services[name]?.read_only).toBe(true)
    expect(override.services.sandbox?.read_only).toBe(true)
  })

  test('when a container runs, then its memory is limited', () => {
    for (const [name, { mem_limit }] of Object.entries({ ...main.services, ...override.services }))
      expect({ name, limit: main.services[name]?.mem_limit ?? mem_limit }).toEqual({
        name,
        limit: expect.stringMatching(/^\d+[mg]$/),
      })
  })

  test('when images are named, then each has a full version', () => {
    for (const { image } of Object.values(main.services))
      expect(image).toMatch(/^voxscribe\/|:v?\d+\.\d+(\.\d+)?(-\w+)?$/)
  })
})

describe('.env.example', () => {
  const explained = [...example.matchAll(/^# .+\n#([A-Z]\w+)=/gm)].map(([, name]) => name)
  const fixed = ['JWT_PUBLIC_KEY_FILE', 'JWT_PRIVATE_KEY_FILE']

  test('when Compose reads a variable, then it is explained, once; and nothing else is', () => {
    const both = textOf('docker-compose.yml') + textOf('docker-compose.override.yml')
    const used = both.matchAll(/(?<!\$)\$\{(\w+)/g)
    const passed = SERVICES.flatMap(service =>
      Object.entries(environmentOf(main, service)).flatMap(([name, value]) => (value === null ? [name] : [])),
    )
    const own = ['COMPOSE_FILE', 'COMPOSE_PROFILES', 'SANDBOX', 'SANDBOX_SIMULATES']
    const expected = new Set([...[...used].map(([, name]) => name!), ...passed, ...own])
    for (const name of fixed) expected.delete(name)
    expect([...explained].sort()).toEqual([...expected].sort())
  })

  test('when it is copied as it is, then nothing changes', () => {
    expect(example.split('\n').filter(line => line && !line.startsWith('#'))).toEqual([])
  })
})
