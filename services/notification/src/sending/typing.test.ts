import type { Source } from '@voxscribe/contracts/events'
import { createTyping } from './typing.ts'

const from = (address: string, messageId: string): Source => ({ channel: 'whatsapp', address, messageId })

test('when notes of a chat come at once, then the calls after the first become one for the newest', async () => {
  const shown: string[] = []
  const answers: (() => void)[] = []
  const typing = createTyping({
    show: ({ messageId }) => {
      shown.push(messageId)
      return new Promise(resolve => answers.push(resolve))
    },
    everyMs: () => 60_000,
    isOver: async () => true,
  })
  const begun = ['first', 'second', 'third'].map(id => typing.begin(id, from('1', id)))
  const other = typing.begin('other', from('2', 'other'))
  expect(shown).toEqual(['first', 'other'])
  for (const answer of answers) answer()
  await Promise.all([other, ...begun.slice(1)])
  expect(shown).toEqual(['first', 'other', 'third'])
  for (const answer of answers) answer()
  await Promise.all(begun)
  const later = typing.begin('later', from('1', 'later'))
  expect(shown.at(-1)).toBe('later')
  for (const answer of answers) answer()
  await later
  typing.stop()
})
