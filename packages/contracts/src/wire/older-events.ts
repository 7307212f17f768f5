// Shapes in which version 0.1.0 sent some events. They may still be in an outbox, a queue or the dead letters, and are
// accepted.

type Data = Record<string, unknown>

/** Lacks the time at which the account claimed its number: the time of the event takes its place. */
const claimed = (data: Data, occurredAt: string): Data => ({ phoneClaimedAt: occurredAt, ...data })

const OLDER: Record<string, (data: Data, occurredAt: string) => Data> = {
  'user-registered': claimed,
  'user-updated': claimed,
  /** Has one sentence in place of reasons. */
  'transcription-completed': ({ notice, ...data }) =>
    typeof notice === 'string' ? { notices: [{ code: 'earlier', sentence: notice }], ...data } : data,
}

/** Returns an event's data in its current shape. */
export function inShapeOfToday(name: string, data: unknown, occurredAt: string): unknown {
  const change = OLDER[name]
  return change && typeof data === 'object' && data !== null ? change(data as Data, occurredAt) : data
}
