import { EventEmitter } from 'node:events'
import { watchHeartbeats } from './heartbeats.ts'

let client: EventEmitter
let lost: number
let watch: ReturnType<typeof watchHeartbeats>
beforeEach(() => {
  client = new EventEmitter()
  lost = 0
  watch = watchHeartbeats(client as never, () => {
    lost += 1
  })
})
afterEach(() => watch.stop())

function look(times: number) {
  for (let time = 0; time < times; time += 1) watch.look()
}

test.each(['serverHeartbeatSucceeded', 'serverHeartbeatFailed'])(
  'when each heartbeat ends, as %s, then nothing is lost, however long the next one waits',
  end => {
    for (let beat = 0; beat < 10; beat += 1) {
      client.emit('serverHeartbeatStarted')
      look(5)
      client.emit(end)
      look(20)
    }
    expect(lost).toBe(0)
  },
)

test('when a heartbeat never ends, then the database is lost, once', () => {
  client.emit('serverHeartbeatStarted')
  look(5)
  expect(lost).toBe(0)
  look(100)
  expect(lost).toBe(1)
})
