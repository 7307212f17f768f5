import { type Clock, install } from '@sinonjs/fake-timers'
import type { Source } from '@voxscribe/contracts/events'
import { createTyping } from './typing.ts'

const from = (address: string, messageId: string): Source => ({ channel: 'whatsapp', address, messageId })

let shown: string[] = []
let clock: Clock
const start = (isOver = async () => false) =>
  createTyping({
    show: async ({ messageId }, isTyping) => void shown.push(isTyping ? messageId : `${messageId} is read`),
    everyMs: () => 20_000,
    isOver,
  })

beforeEach(() => {
  clock = install()
  shown = []
})
afterEach(() => clock.uninstall())

test('when notes of a chat come at once, then the calls after the first become one for the newest', async () => {
  const typing = start()
  for (const id of ['first', 'second', 'third']) typing.begin(id, from('1', id))
  typing.begin('other', from('2', 'other'))
  expect(shown).toEqual(['first', 'other'])
  clock.tick(1_000)
  expect(shown).toEqual(['first', 'other', 'third'])
  clock.tick(1_000)
  typing.begin('later', from('1', 'later'))
  expect(shown).toEqual(['first', 'other', 'third', 'later'])
})

test('when a note is answered before its turn, then it is marked as read, without typing', () => {
  const typing = start()
  typing.begin('first', from('1', 'first'))
  typing.begin('second', from('1', 'second'))
  typing.end('second')
  clock.tick(5_000)
  expect(shown).toEqual(['first', 'second is read'])
})

test('when work takes long, then it shows again and again that an answer comes, until there is one', async () => {
  let isOver = false
  const typing = start(async () => isOver)
  typing.begin('note', from('1', 'note'))
  typing.begin('other', from('2', 'other'))
  typing.end('other')
  await clock.tickAsync(60_000)
  expect(shown).toEqual(['note', 'other', 'note', 'note', 'note'])
  isOver = true
  await clock.tickAsync(60_000)
  expect(shown).toHaveLength(5)
})
