import { isTimeToCut } from './microphone.ts'

/** Levels of a voice, followed by those of its room. */
const spoken = (quiet: number, { room = 0.005, voice = 0.5 } = {}) => [
  ...Array.from({ length: 100 }, () => voice),
  ...Array.from({ length: quiet }, () => room),
]

test.each([
  ['a pause of 300 ms', 5, spoken(3), true],
  ['a pause too early', 4.9, spoken(30), false],
  ['a shorter pause', 8, spoken(2), false],
  ['a voice without a pause', 14.9, spoken(0), false],
  ['a voice without a pause for long', 15, spoken(0), true],
  ['a pause in a loud room', 8, spoken(3, { room: 0.07 }), true],
  ['a voice in a room as loud', 8, spoken(3, { room: 0.1 }), false],
  ['a low voice', 8, spoken(3, { voice: 0.05, room: 0.03 }), false],
  ['a pause after a low voice', 8, spoken(3, { voice: 0.05, room: 0.01 }), true],
  ['silence', 5, spoken(0, { voice: 0 }), true],
  ['timers that stood still', 40, [], true],
])('when a piece has %s, then it is cut there or not', (_what, seconds, levels, isCut) => {
  expect(isTimeToCut(seconds, levels)).toBe(isCut)
})
