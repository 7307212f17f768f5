import { setTimeout as wait } from 'node:timers/promises'
import { cpuOf } from '../processes.ts'
import { median, type Row } from '../row.ts'
import { millisecondsOf, startBench } from '../system.ts'

const SCRIPT = '`lab/bench/plain/note.sh`: curl, ffmpeg and the same stand-ins for WhatsApp and the engine'
const WRITES =
  "Decoding costs as much as in the script. Beside it, mongoose, the driver and the fsyncs of a note's writes take a third of the thread's time, then starting ffmpeg."
/** A measurement is their median. */
const SHORT_NOTES = 5
const CPU_NOTES = 6
const NOTES_AT_ONCE = 100
/** The script's rate does not depend on how many wait. */
const PLAIN_NOTES = 30
/** Work after the answer (settling minutes, removing events) belongs to the note. */
const SETTLED_MS = 500

/** One note after another: milliseconds from the webhook to the answer. */
function openOneByOne(notes: number, options: Parameters<typeof startBench>[0]): Row['open'] {
  return async () => {
    const bench = await startBench(options)
    const each = async (work: () => Promise<unknown>) => {
      const times: number[] = []
      for (let note = 0; note < notes; note++) times.push(await millisecondsOf(work))
      return [median(times)]
    }
    const { number } = await bench.personFor(1)
    await bench.note(number)
    return {
      async ours() {
        const { number } = await bench.personFor(notes)
        return each(() => bench.note(number))
      },
      plain: () => each(() => bench.plain(1)),
      close: bench.close,
    }
  }
}

export const NOTE_ROWS: Row[] = [
  {
    name: 'note-3s',
    title: '3 s note with an instant engine',
    baseline: SCRIPT,
    figures: [{ name: 'webhook to answer', unit: 'ms', goal: { addedAtMost: 40 } }],
    inTheWay: WRITES,
    seconds: 25,
    open: openOneByOne(SHORT_NOTES, { noteSeconds: 3 }),
  },
  {
    name: 'note-60s',
    title: '60 s note with an engine of 2 s',
    baseline: SCRIPT,
    figures: [{ name: 'webhook to answer', unit: 'ms', goal: { ratioAtMost: 1.05 } }],
    inTheWay: WRITES,
    seconds: 60,
    open: openOneByOne(1, { noteSeconds: 60, engineMs: 2_000 }),
  },
  {
    name: 'cpu',
    title: 'Processor time of a 6 s note without the engine',
    baseline: SCRIPT,
    figures: [{ name: 'one note', unit: 'ms', goal: { ratioAtMost: 0.74 } }],
    inTheWay: WRITES,
    seconds: 35,
    async open() {
      const bench = await startBench({ noteSeconds: 6 })
      return {
        async ours() {
          const { number } = await bench.personFor(CPU_NOTES)
          const before = cpuOf(bench.pid)
          for (let note = 0; note < CPU_NOTES; note++) await bench.note(number)
          await wait(SETTLED_MS)
          return [(1000 * (cpuOf(bench.pid) - before)) / CPU_NOTES]
        },
        plain: async () => [(1000 * (await bench.plain(CPU_NOTES))) / CPU_NOTES],
        close: bench.close,
      }
    },
  },
  {
    name: 'at-once',
    title: `${NOTES_AT_ONCE} notes of 6 s at once`,
    baseline: `${SCRIPT}, two at once by xargs`,
    figures: [{ name: 'notes', unit: '/s', goal: { ratioAtLeast: 0.97 } }],
    inTheWay: WRITES,
    seconds: 125,
    async open() {
      const bench = await startBench({ noteSeconds: 6 })
      const perSecond = (notes: number, ms: number) => [(1000 * notes) / ms]
      return {
        async ours() {
          const { number } = await bench.personFor(NOTES_AT_ONCE)
          const all = () => Promise.all(Array.from({ length: NOTES_AT_ONCE }, () => bench.note(number)))
          return perSecond(NOTES_AT_ONCE, await millisecondsOf(all))
        },
        plain: async () => perSecond(PLAIN_NOTES, await millisecondsOf(() => bench.plain(PLAIN_NOTES, 2))),
        close: bench.close,
      }
    },
  },
]
