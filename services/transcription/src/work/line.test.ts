import { setImmediate as settled } from 'node:timers/promises'
import { silentLog } from '@voxscribe/service/testing'
import type { NoteRecord } from '../note/record.ts'
import { createInHand } from './in-hand.ts'
import { createLine } from './line.ts'
import { createOrder } from './order.ts'

const AT_ONCE = 2
const SECONDS = 3

test('when the database is slow to begin notes, then no more than may be at work at once are taken', async () => {
  const inLine = Array.from({ length: 5 }, (_, note) => ({ _id: `waits ${note}`, attempt: 1 }) as NoteRecord)
  const end = Promise.withResolvers<void>()
  const atWork: string[] = []
  const line = createLine({
    step: 'listening',
    steps: {
      next: async () => {
        const note = inLine.shift()
        return note ? { note, turn: 1 } : null
      },
      abandoned: async () => null,
      wait: async () => {},
      broke: async () => {},
      secondsOf: () => SECONDS,
      async work({ _id }) {
        atWork.push(_id)
        await end.promise
      },
    },
    atOnce: AT_ONCE,
    order: createOrder(),
    inHand: createInHand({ renew: async () => true }, 60_000),
    log: silentLog,
    hasCome: () => {},
  })
  const written = Promise.withResolvers<void>()
  const entering = ['first', 'second'].map(_id => {
    const attempt = { _id, attempt: 1 }
    const now = async () => {
      await written.promise
      return attempt as NoteRecord
    }
    return line.enter({ userId: 'u1', seconds: SECONDS }, { attempt, now, wait: async () => {} })
  })
  // Another process tells that notes have come in line.
  await line.look()
  written.resolve()
  await Promise.all(entering)
  await settled()
  expect(atWork).toEqual(['first', 'second'])
  line.stop()
  end.resolve()
  await line.settled()
})
