import { flow, MediaExpired, receivedBy, SERVICES, TranscriptionDeleted } from './events.ts'

const mediaId = '4f6a1c1e-8f0b-4b57-9d83-0d8f6f5a4f10'

test('when the same cause is handled twice, then it causes the same event', () => {
  const cause = MediaExpired.create({ mediaId, userId: 'u1' })
  const first = TranscriptionDeleted.causedBy(cause, { mediaId, userId: 'u1' })
  const second = TranscriptionDeleted.causedBy(cause, { mediaId, userId: 'u1' })
  expect(second.id).toBe(first.id)
  expect(first).toMatchObject({
    causeId: cause.id,
    traceId: cause.traceId,
    type: 'transcription-deleted',
    version: 1,
  })
  expect(TranscriptionDeleted.causedBy(cause, { mediaId, userId: 'u1' }, 'other').id).not.toBe(first.id)
  expect(MediaExpired.causedBy(cause, { mediaId, userId: 'u1' }).id).not.toBe(first.id)
})

test('when a message has unknown fields, then they are kept out', () => {
  const sent = MediaExpired.create({ mediaId, userId: 'u1' })
  const received = MediaExpired.parse({ ...sent, extra: 1, data: { ...sent.data, extra: 1 } })
  expect(received).toEqual(sent)
})

test.each([
  ['another type', { ...MediaExpired.create({ mediaId, userId: 'u1' }), type: 'media-received' }],
  ['another version', { ...MediaExpired.create({ mediaId, userId: 'u1' }), version: 2 }],
  ['wrong data', { ...MediaExpired.create({ mediaId, userId: 'u1' }), data: { mediaId: 5, userId: 'u1' } }],
])('when a message has %s, then it is refused', (_what, message) => {
  expect(() => MediaExpired.parse(message)).toThrow()
})

test('when the flow is read, then each event has a unique name, a sender and a receiver', () => {
  const keys = Object.values(flow).map(({ event: { routingKey } }) => routingKey)
  expect(new Set(keys).size).toBe(keys.length)
  for (const [name, { event: type, to }] of Object.entries(flow)) {
    expect(to.length).toBeGreaterThan(0)
    expect(type.routingKey).toBe(`${name.replace(/(?!^)([A-Z])/g, '-$1').toLowerCase()}.v1`)
  }
  for (const service of SERVICES.filter(name => name !== 'gateway'))
    expect(receivedBy(service)).not.toHaveLength(0)
})

test('when an event is made with wrong data, then that fails where it is made', () => {
  expect(() => MediaExpired.create({ mediaId: 'x', userId: 'u1' })).toThrow()
})
