import { UserUpdated } from '@voxscribe/contracts/events'
import { eventually, tokenFor } from '@voxscribe/service/testing'
import { recording } from '../testing/recording.ts'
import { accountOf, infoPath, ingestionForAll, newPhone, textMessage, unique } from '../testing.ts'

const DAY = 86_400
const app = ingestionForAll({
  NOTES_PER_DAY: '3',
  BYTES_PER_DAY: '150000',
  RATE_LIMITS: 'off',
  SUPPORT_EMAIL: 'help@voxscribe.test',
})

async function upload(userId: string, file = recording(1), key = '') {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(file)]), 'talk.wav')
  const headers = { authorization: tokenFor(userId), ...(key && { 'idempotency-key': key }) }
  const answer = await fetch(`${app.url}/api/transcriptions`, { method: 'POST', body: form, headers })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

/** Publishes auth's event that an account was blocked or unblocked. */
async function block({ userId, phone, code }: Account, blocked: boolean, revision: number) {
  await app.publish(UserUpdated.create({ ...accountOf(userId, phone, revision, code), blocked }))
  await app.known(userId, revision)
}
type Account = Awaited<ReturnType<typeof app.account>>

describe('when an account is blocked', () => {
  test('then nothing is taken from it, in the chat and on the page, until the block is lifted', async () => {
    const ada = await app.account()
    await block(ada, true, 2)
    // A late event of an older change doesn't lift the block.
    await app.publish(
      UserUpdated.create({ ...accountOf(ada.userId, ada.phone, 1, ada.code), blocked: false }),
    )
    expect((await upload(ada.userId)).status).toBe(401)

    const note = app.noteFrom({ from: ada.phone })
    await app.say(note)
    await app.say(note)
    expect((await app.refused(note.id)).data.reason).toMatchObject({ code: 'account_blocked' })
    const command = textMessage({ from: ada.phone }, 'again in spanish')
    await app.say(command)
    expect((await app.refused(command.id)).data.reason).toMatchObject({ code: 'account_blocked' })
    expect(app.announced(note.mediaId)).toBe(0)
    expect(app.sandbox.callsTo(infoPath(note.audio.id))).toEqual([])
    expect(app.others.sent('NoteCommandReceived')).toEqual([])

    await block(ada, false, 3)
    expect((await upload(ada.userId)).status).toBe(201)
    const next = app.noteFrom({ from: ada.phone })
    await app.say(next)
    expect(await app.received(next.mediaId)).toMatchObject({ userId: ada.userId })
  })

  test('while a note of it waits to be fetched, then that note is rejected', async () => {
    const ada = await app.account()
    const note = app.noteFrom({ from: ada.phone })
    let asked = false
    app.on(infoPath(note.audio.id), response => {
      asked = true
      response.status(500).end()
    })
    await app.say(note)
    await eventually(() => asked)
    await block(ada, true, 1)
    expect((await app.rejected(note.mediaId)).reason.code).toBe('account_blocked')
  })
})

describe('when a person has sent as many notes as a day may have', () => {
  test('then the next upload says when, and the next note of the chat is rejected, not fetched', async () => {
    const ada = await app.account()
    const first = app.noteFrom({ from: ada.phone })
    await app.say(first)
    await app.received(first.mediaId)
    // Redeliveries, and files that can't become notes, don't count.
    await app.say(first)
    expect((await upload(ada.userId, Buffer.from('Just words.'))).status).toBe(415)
    const key = unique('key-')
    expect((await upload(ada.userId, recording(2), key)).status).toBe(201)
    expect((await upload(ada.userId, recording(2), key)).status).toBe(200)
    expect((await upload(ada.userId, recording(3))).status).toBe(201)

    const { status, headers, body } = await upload(ada.userId, recording(4))
    expect([status, body.code]).toEqual([429, 'day_is_full'])
    const seconds = Number(headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(DAY - 600)
    expect(headers.get('ratelimit')).toBe(`"notes-of-day";r=0;t=${seconds}`)
    expect(body.message).toMatch(/Please send this one after .* UTC\.$/)
    expect((await upload(ada.userId, recording(2), key)).status).toBe(200)
    const next = app.noteFrom({ from: ada.phone })
    await app.say(next)
    const { code, facts } = (await app.rejected(next.mediaId)).reason
    expect([code, Date.parse(String(facts?.until))]).toEqual([
      'day_is_full',
      expect.closeTo(Date.now() + seconds * 1000, -5),
    ])
    expect(app.sandbox.callsTo(infoPath(next.audio.id))).toEqual([])
  })

  test('at once, then no more are taken than may be', async () => {
    const { userId } = await app.account(newPhone())
    const answers = await Promise.all([1, 2, 3, 4, 5].map(n => upload(userId, recording(n))))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429])
  })

  test('and a download failed on the way, then its tries count once', async () => {
    const ada = await app.account()
    const note = app.noteFrom({ from: ada.phone })
    const answers = app.info(note.audio.id)
    let tries = 0
    app.on(infoPath(note.audio.id), (response, request, next) => {
      tries += 1
      if (tries === 1) response.status(500).end()
      else answers(response, request, next)
    })
    app.on(`/files/${note.audio.id}`, response => response.end(recording(1)))
    await app.say(note)
    await app.received(note.mediaId)
    expect(tries).toBeGreaterThan(1)
    for (const n of [2, 3]) expect((await upload(ada.userId, recording(n))).status).toBe(201)
    expect((await upload(ada.userId, recording(4))).status).toBe(429)
  })
})

test('when the bytes of a day are used up, then no more files are taken', async () => {
  const { userId } = await app.account()
  expect((await upload(userId, recording(1, 100_000))).status).toBe(201)
  expect((await upload(userId, recording(2, 100_000))).status).toBe(201)
  expect(await upload(userId, recording(3, 1_000))).toMatchObject({
    status: 429,
    body: { code: 'day_is_full' },
  })
})
