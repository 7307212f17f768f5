import { execFile } from 'node:child_process'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'
import { SERVICES } from '@voxscribe/contracts/events'
import { startCountingEngine } from '../testing/counting-engine.ts'
import { type Person, signUp } from '../testing/person.ts'
import { voiceNote } from '../testing/speech.ts'
import { sendNotes, tally } from '../testing/tally.ts'

// k8s/overlays/local on the node of e2e/cluster/run.sh, in the same network as this process.

const run = promisify(execFile)
const kubectl = async (...args: string[]) =>
  (await run('kubectl', ['--namespace', 'voxscribe', ...args])).stdout.trim()
const rabbit = {
  control: (...args: string[]) => kubectl('exec', 'rabbitmq-0', '--', 'rabbitmqctl', '--quiet', ...args),
}
const ofDeployment = (name: string) => ['--selector', `app.kubernetes.io/name=${name}`]
const urlOf = async (service: string, port: number) =>
  `http://${await kubectl('get', 'service', service, '--output', 'jsonpath={.spec.clusterIP}')}:${port}`
const ready = (deployment: string) =>
  kubectl('rollout', 'status', `deployment/${deployment}`, '--timeout', '5m')

const DEPLOYMENTS = [...SERVICES, 'transcription-local']
const NOTES_EACH = 3
const TEXT = 'It was the season of light.'
const NODE = networkInterfaces().eth0?.find(({ family }) => family === 'IPv4')?.address

const people: Person[] = []
let engine: Awaited<ReturnType<typeof startCountingEngine>> | undefined
beforeAll(async () => {
  const reached = {
    appUrl: await urlOf('gateway', 8080),
    sandboxUrl: await urlOf('sandbox', 8090),
    ingestionMetricsUrls: [`${await urlOf('ingestion', 9090)}/metrics`] as [string],
  }
  for (let count = 0; count < 4; count += 1) people.push(await signUp(reached))
})
afterAll(() => engine?.stop())

test('when a note is sent in the chat, then its text comes back', async () => {
  const person = people.pop()!
  const note = await person.sendNote(await voiceNote(), { voice: true })
  expect((await person.replyTo(note)).text).toMatch(/\w/)
})

describe('with a speech provider', () => {
  beforeAll(async () => {
    engine = await startCountingEngine(5_000, TEXT, NODE)
    const settings = Object.entries(engine.settings).map(([name, value]) => `${name}=${value}`)
    await kubectl('set', 'env', 'deployment/transcription', ...settings)
    await ready('transcription')
  })

  /** Changes one Deployment after another while notes are in progress; counts their results and the engine's calls. */
  async function whileNotesComeIn(change: (deployment: string) => Promise<unknown>) {
    const person = people.pop()!
    const before = engine!.calls()
    const sent: string[] = []
    for (const deployment of DEPLOYMENTS) {
      sent.push(...(await sendNotes([person], NOTES_EACH)))
      await change(deployment)
      await ready(deployment)
    }
    const found = await tally([person], sent, rabbit)
    const byProvider = (await person.ended(sent.length)).filter(({ text }) => text === TEXT).length
    const counts = { ...found, byProvider, calls: engine!.calls() - before }
    process.stdout.write(`Of ${sent.length} notes: ${JSON.stringify(counts)}\n`)
    return counts
  }

  test('when every Deployment is rolled, then no note is lost, duplicated or recognized twice', async () => {
    const counts = await whileNotesComeIn(deployment =>
      kubectl('rollout', 'restart', `deployment/${deployment}`),
    )
    expect(counts).toMatchObject({ lost: 0, doubled: 0, stuck: 0, calls: counts.byProvider })
  })

  test('when a pod of each Deployment is killed, then no note is lost or duplicated', async () => {
    const counts = await whileNotesComeIn(deployment =>
      kubectl('delete', 'pod', ...ofDeployment(deployment), '--force', '--grace-period', '0'),
    )
    expect(counts).toMatchObject({ lost: 0, doubled: 0, stuck: 0 })
  })

  test('when the memory of a pod of each Deployment is filled, then no note is lost or duplicated', async () => {
    const lastEnd = '{.status.containerStatuses[0].lastState.terminated.reason}'
    const counts = await whileNotesComeIn(async deployment => {
      // Many small programs, so that the service is the largest one, which Linux kills.
      const fill = 'for n in $(seq 100); do head -c 32m /dev/zero | tail | sleep 600 & done; wait'
      await kubectl('exec', `deployment/${deployment}`, '--', 'sh', '-c', fill).catch(() => {})
      const ended = ['--for', `jsonpath=${lastEnd}=OOMKilled`, '--timeout', '5m']
      await kubectl('wait', 'pod', ...ofDeployment(deployment), ...ended)
    })
    expect(counts).toMatchObject({ lost: 0, doubled: 0, stuck: 0 })
  })
})

test('when a pod is in another namespace, or a service doesn’t need an address, then it is not reached', async () => {
  const stranger = ['--namespace', 'default']
  await kubectl(
    ...stranger,
    'run',
    'stranger',
    '--image',
    'voxscribe/pause:local',
    '--image-pull-policy',
    'Never',
  )
  await kubectl(...stranger, 'wait', '--for', 'condition=Ready', 'pod/stranger', '--timeout', '1m')
  const reached = async (from: string[], url: string) => {
    const { hostname, port } = new URL(url)
    const connect = `exec 3<>/dev/tcp/${hostname}/${port}`
    return kubectl('exec', ...from, '--', 'timeout', '5', 'bash', '-c', connect).then(
      () => true,
      () => false,
    )
  }
  const database = await urlOf('mongodb', 27017)
  const apiServer = `http://${NODE}:6443`
  const auth = ['deployment/auth']
  const outside = [...stranger, 'stranger']
  expect({
    own: await reached(auth, database),
    ofOthers: await reached(outside, apiServer),
    fromOthers: await reached(outside, database),
    gatewayFromOthers: await reached(outside, await urlOf('gateway', 8080)),
    toOthers: await reached(auth, apiServer),
  }).toEqual({ own: true, ofOthers: true, fromOthers: false, gatewayFromOthers: false, toOthers: false })
})
