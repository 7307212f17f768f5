import { addressIn } from './obsidian.ts'

test('when a note is opened in Obsidian, then its address has name and text, or leads to the clipboard', () => {
  const short = new URL(addressIn('Call: A/B #1 [x]', 'one + two\nthree & four'))
  expect(short.href).not.toContain('+')
  expect(Object.fromEntries(short.searchParams)).toEqual({
    name: 'Call A B 1 x',
    content: 'one + two\nthree & four',
  })
  expect(addressIn('نص', 'x'.repeat(8_000))).toContain('content=xxx')
  expect(addressIn('Long', 'x'.repeat(8_001))).toBe('obsidian://new?name=Long&clipboard=true')
})
