import { AccessEnded, AccountErased, NoteCommandReceived, UserUpdated } from '@voxscribe/contracts/events'
import { eventually, tokenFor } from '@voxscribe/service/testing'
import { deskWithSphinx } from '../testing.ts'

const { desk, note: path } = await deskWithSphinx({ PUBLIC_URL: 'https://vox.example' })

/** Auth's event about the generations of an account. */
const begun = (userId: string, generation: number, passwordGeneration: number, revision = generation) =>
  UserUpdated.create({
    userId,
    phone: null,
    phoneClaimedAt: new Date().toISOString(),
    linkCode: 'VX-22222222',
    language: 'auto',
    email: 'ada@example.com',
    firstName: 'Ada',
    lastName: 'Lovelace',
    uiLanguage: 'en',
    generation,
    passwordGeneration,
    revision,
  })

type Claims = Parameters<typeof tokenFor>[2]
async function statusFor(userId: string, claims: Claims) {
  const authorization = tokenFor(userId, 900, claims)
  const answer = await desk.fetch('/api/transcriptions', undefined, { authorization })
  return answer.status === 401 ? ((await answer.json()) as { message: string }).message : answer.status
}

/** Reads a stream until it ends. */
async function listen(userId: string, claims: Claims) {
  const headers = { authorization: tokenFor(userId, 900, claims) }
  const { body } = await desk.fetch('/api/transcriptions/events', undefined, headers)
  const heard = { text: '', hasEnded: false, leave: () => {} }
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
  heard.leave = () => void reader.cancel().catch(() => {})
  void (async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read()) heard.text += part.value
  })()
    .catch(() => {})
    .finally(() => {
      heard.hasEnded = true
    })
  return heard
}

test('when an account is erased, then its streams end at once', async () => {
  const stream = await listen('erased', { sid: 's1' })
  const person = { phone: null, email: 'ada@example.com', firstName: 'Ada', uiLanguage: 'en' } as const
  await desk.bus.publish(AccountErased.create({ userId: 'erased', ...person }))
  await eventually(() => stream.hasEnded)
})

test('when a generation begins, then older tokens and their streams end, and later ones hear of the change', async () => {
  const old = await listen('ada', { sid: 's1' })
  const [byKey, fresh] = [await listen('ada', { key: 'k1' }), await listen('ada', { gen: 1, sid: 's2' })]
  await desk.bus.publish(begun('ada', 1, 0))
  await eventually(() => old.hasEnded)
  await eventually(() => [byKey, fresh].every(({ text }) => text.includes('event: profile')))
  expect([byKey.hasEnded, fresh.hasEnded]).toEqual([false, false])
  // A sign-out everywhere keeps API keys valid.
  expect(await statusFor('ada', { sid: 's1' })).toBe('Unauthorized')
  expect(await statusFor('ada', { key: 'k1' })).toBe(200)
  expect(await statusFor('ada', { gen: 1, sid: 's2' })).toBe(200)
  expect(await statusFor('bob', { sid: 's1' })).toBe(200)
  await desk.bus.publish(begun('ada', 2, 2))
  await eventually(() => byKey.hasEnded && fresh.hasEnded)
  // An event about an older change arrives late.
  await desk.bus.publish(begun('ada', 1, 0))
  expect(await statusFor('ada', { key: 'k1' })).toBe('Unauthorized')
  expect(await statusFor('ada', { gen: 2, key: 'k2' })).toBe(200)
})

test('when the password changes during a wait for a note, then the wait ends in 401', async () => {
  const { data } = await desk.receive(path, { userId: 'waiting' })
  const headers = { authorization: tokenFor('waiting', 900, { sid: 's1' }) }
  const waited = desk.fetch(`/api/transcriptions/${data.mediaId}?wait=2`, undefined, headers)
  await desk.bus.publish(begun('waiting', 1, 1))
  expect((await waited).status).toBe(401)
})

test('when one sign-in or key ends, then its tokens and streams do, and no others', async () => {
  const [lost, kept] = [await listen('eve', { sid: 'lost' }), await listen('eve', { sid: 'kept' })]
  const until = new Date(Date.now() + 900_000).toISOString()
  const ended = (bearerId: string) => AccessEnded.create({ userId: 'eve', bearerId, until })
  const event = ended('lost')
  for (const each of [event, event, ended('key')]) await desk.bus.publish(each)
  await eventually(() => lost.hasEnded)
  expect(await statusFor('eve', { sid: 'lost' })).toBe('Unauthorized')
  expect(await statusFor('eve', { key: 'key' })).toBe('Unauthorized')
  expect([await statusFor('eve', { sid: 'kept' }), kept.hasEnded]).toEqual([200, false])
  kept.leave()
})

test('when the password changes, then links of before end, by page and by chat, and later ones work', async () => {
  const userId = 'sharer'
  const { id } = await desk.complete(path, { userId })
  const { id: chatted } = await desk.complete(path, { userId })
  const headers = (gen: number) => ({ authorization: tokenFor(userId, 900, { gen }) })
  const share = async (gen: number) => {
    const body = { days: 7, audio: false }
    const sent = { body, headers: headers(gen) }
    const { url } = (await desk.call('POST', `/transcriptions/${id}/share`, userId, sent)).body.data
    return `/api/shared/${url.split('/s/')[1]}`
  }
  const source = { channel: 'whatsapp' as const, address: '16505550100', messageId: 'wamid.share' }
  async function shareByChat() {
    const event = NoteCommandReceived.create({ userId, command: { name: 'share' }, noteId: chatted, source })
    await desk.bus.publish(event)
    const done = await eventually(() =>
      desk.bus.sent('NoteCommandDone').find(({ causeId }) => causeId === event.id),
    )
    const { url } = done.data.outcome as { url: string }
    return `/api/shared/${url.split('/s/')[1]}`
  }
  const status = async (link: string) => (await desk.fetch(link)).status
  const before = [await share(0), await shareByChat()]
  expect(await Promise.all(before.map(status))).toEqual([200, 200])
  await desk.bus.publish(begun(userId, 1, 0))
  expect(await Promise.all(before.map(status))).toEqual([200, 200])
  const changed = begun(userId, 2, 2)
  await desk.bus.publish(changed)
  expect(await Promise.all(before.map(status))).toEqual([404, 404])
  const kept = await desk.stored('shares').countDocuments({ userId } as never)
  expect(kept).toBe(0)
  const after = [await share(2), await shareByChat()]
  await desk.bus.publish(changed)
  expect(await Promise.all(after.map(status))).toEqual([200, 200])
})
