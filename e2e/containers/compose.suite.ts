import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SERVICES } from '@voxscribe/contracts/events'
import { eventually } from '../testing/eventually.ts'
import { type Person, type Reached, signUp } from '../testing/person.ts'
import { voiceNote } from '../testing/speech.ts'
import { freePorts, ROOT } from '../testing/system.ts'

// The system of docker-compose.yml with its sandbox, from images built by e2e/containers/run.sh.

const run = promisify(execFile)
const PROJECT = 'voxscribe-suite'
const [port, sandboxPort, managementPort] = await freePorts(3)
const env = {
  ...process.env,
  PORT: String(port),
  SANDBOX_PORT: String(sandboxPort),
  RABBITMQ_MANAGEMENT_PORT: String(managementPort),
}
const docker = async (...args: string[]) => (await run('docker', args, { cwd: ROOT, env })).stdout.trim()
const compose = (...args: string[]) => docker('compose', '--project-name', PROJECT, ...args)

const hasImages = await docker('image', 'inspect', ...SERVICES.map(name => `voxscribe/${name}:local`)).then(
  () => true,
  () => false,
)
const withImages = hasImages ? describe : describe.skip

/** Seconds of each start. */
const starts: number[] = []
async function up(): Promise<Reached> {
  const since = performance.now()
  await compose('up', '--detach', '--no-build', '--wait').catch(async error => {
    const log = await compose('logs', '--no-color', '--tail', '5').catch(() => '')
    throw new Error(`${error.message}\n${log.slice(-8_000)}`)
  })
  starts.push(Math.round((performance.now() - since) / 1000))
  // The management port isn't published; this machine reaches it by the container's address.
  const id = await compose('ps', '--quiet', 'ingestion')
  const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}'
  const [address] = (await docker('inspect', '--format', format, id)).split(' ')
  return {
    appUrl: `http://127.0.0.1:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    ingestionMetricsUrls: [`http://${address}:9090/metrics`],
  }
}

withImages('the system of Compose', () => {
  let person: Person

  beforeAll(async () => {
    await compose('down', '--volumes')
    person = await signUp(await up())
  })
  afterAll(async () => {
    await compose('down', '--volumes')
    process.stdout.write(`From nothing to ready, and again: ${starts.join(' s, ')} s\n`)
  })

  test('when a note is sent in the chat, then its text comes back', async () => {
    const note = await person.sendNote(await voiceNote(), { voice: true })
    expect((await person.replyTo(note)).text).toMatch(/\w/)
    expect((await person.ended(1)).map(({ status }) => status)).toEqual(['completed'])
  })

  test('when the doctor runs, then it finds nothing wrong', async () => {
    const lines = JSON.parse(
      await compose(
        ...['run', '--rm', 'doctor', 'node', '--disable-warning=ExperimentalWarning'],
        ...['deploy/local/doctor/main.ts', '--json'],
      ).catch(({ stdout }) => stdout),
    )
    expect(lines.filter(({ state }: { state: string }) => state === 'wrong')).toEqual([])
    expect(lines.find(({ name }: { name: string }) => name === 'storage').saw).toContain('voxscribe-media')
  })

  test('when a service keeps no media, then it does not reach their store', async () => {
    const ask = (service: string) =>
      compose(
        ...['exec', '-T', service, 'node', '-e'],
        "fetch('http://seaweedfs:8333/').then(() => console.log('reached'), () => console.log('not reached'))",
      )
    expect(await Promise.all(['ingestion', 'auth', 'billing'].map(ask))).toEqual([
      'reached',
      'not reached',
      'not reached',
    ])
  })

  test('when the containers are removed and recreated, then the note and its audio are there', async () => {
    const before = await person.transcriptions()
    await compose('down')
    await up()
    await eventually('the notes are there', async () => {
      expect(await person.transcriptions()).toEqual(before)
      return true
    })
    const audio = await person.http.get(`/transcriptions/${before.transcriptions[0]?.id}/audio`)
    expect(audio.status).toBe(200)
  })
})
