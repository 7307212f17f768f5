// Shapes in which version 0.1.0 sent some events. They may still lie in an outbox, a queue or the dead letters, and are
// taken for what they say.

type Data = Record<string, unknown>

/** The account's number was not said to be claimed at any time: the event is the first to say whose it is. */
const claimed = (data: Data, occurredAt: string): Data => ({ phoneClaimedAt: occurredAt, ...data })

const OLDER: Record<string, (data: Data, occurredAt: string) => Data> = {
  'user-registered': claimed,
  'user-updated': claimed,
  /** One sentence stood where there are reasons today. */
  'transcription-completed': ({ notice, ...data }) =>
    typeof notice === 'string' ? { notices: [{ code: 'earlier', sentence: notice }], ...data } : data,
}

/** Returns an event's data in the shape of today. */
export function inShapeOfToday(name: string, data: unknown, occurredAt: string): unknown {
  const change = OLDER[name]
  return change && typeof data === 'object' && data !== null ? change(data as Data, occurredAt) : data
}
