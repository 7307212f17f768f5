import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MediaExpired } from '@voxscribe/contracts/events'
import { type Bus, createInProcessBus, Permanent } from '@voxscribe/messaging'
import { createLog, type Management, startManagement } from '@voxscribe/service'

const MEDIA_ID = '7b0a1c9e-5d0b-4b57-9d34-1f3a7f7f2a10'

describe('npm run dead-letters', () => {
  let management: Management
  let bus: Bus
  let broken: boolean
  beforeEach(async () => {
    broken = true
    management = await startManagement(0, '127.0.0.1')
    const topology = { MediaExpired: { event: MediaExpired, to: ['transcription'] } }
    bus = createInProcessBus({ topology, log: createLog('test', 'silent') })
    await bus.subscribe({
      service: 'transcription',
      event: MediaExpired,
      handle: async () => {
        if (broken) throw new Permanent('The disk\nis full')
      },
    })
    management.serveDeadLetters(bus)
  })
  afterEach(async () => {
    await bus.close()
    await management.close()
  })

  const run = (args: string[], url = '') =>
    promisify(execFile)(process.execPath, ['deploy/local/dead-letters.ts', ...args], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, MANAGEMENT_URL: url, MANAGEMENT_PORT: String(management.port) },
    }).then(
      ({ stdout }) => ({ code: 0, text: stdout }),
      ({ code, stderr }) => ({ code, text: stderr as string }),
    )

  test('when there is a dead letter, then it is listed with its queue, its trace and why', async () => {
    expect((await run([])).text).toBe('There are no dead letters.\n')
    const event = MediaExpired.create({ mediaId: MEDIA_ID, userId: 'ada' })
    await bus.publish(event)
    const { text } = await run(['list', 'transcription.media-expired'])
    const [head, row] = text.split('\n')
    expect(head).toMatch(/^since +queue +tries +trace +why$/)
    expect(row).toContain(`transcription.media-expired  1      ${event.traceId}  The disk is full`)
    expect(text).toContain('1 in 1 queue.')
    expect((await run(['list', 'transcription.mistyped'])).text).toBe(
      'There are no dead letters in a queue transcription.mistyped; without a name all are listed.\n',
    )
  })

  test('when the cause is gone and it is put back, then it is handled and gone from the list', async () => {
    await bus.publish(MediaExpired.create({ mediaId: MEDIA_ID, userId: 'ada' }))
    broken = false
    expect((await run(['requeue'])).text).toBe('1 message goes to the receivers again.\n')
    expect(await bus.deadLetters()).toEqual([])
  })

  test.each([
    [
      'nothing listens there',
      ['list'],
      'http://127.0.0.1:2',
      /Nothing answers at .*ECONNREFUSED.*Is Voxscribe running\?/,
    ],
    ['the address has no http://', ['list'], '127.0.0.1:9090', /no address such as http:.*MANAGEMENT_URL/],
    ['the word is unknown', ['delete'], undefined, /npm run dead-letters -- requeue/],
  ])('when %s, then it says what to do and ends with 1', async (_when, args, url, message) => {
    const { code, text } = await run(args, url)
    expect(code).toBe(1)
    expect(text).toMatch(message)
  })
})
