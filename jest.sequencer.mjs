import Sequencer from '@jest/test-sequencer'

const isSlow = ({ path }) => path.includes('.slow.test.')

/** Slow suites first: one that begins last would run alone. */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const [slow, quick] = [true, false].map(wanted => tests.filter(test => isSlow(test) === wanted))
    return [...super.sort(slow), ...super.sort(quick)]
  }
}
