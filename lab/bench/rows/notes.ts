import { setTimeout as wait } from 'node:timers/promises'
import { cpuOf } from '../processes.ts'
import { median, type Row } from '../row.ts'
import { millisecondsOf, startBench } from '../system.ts'

const PROGRAM = '`lab/bench/plain/note.ts`: one process of Node, one run of ffmpeg a note, nothing stored'
const AS_IS = '`lab/bench/plain/note.ts`, which sends the note on as it came: nothing decoded, nothing stored'
const WRITES =
  "ffmpeg's run takes as long in both. Beyond it, a 3 s note takes 66 ms of the services' thread (mongoose and the " +
  "driver 27 %, garbage 17 %, starting and feeding ffmpeg 10 %) and 32 ms of the database's (a third of it syncs to " +
  'the disk). The plain program stores nothing: a note ends with its process.'
/** Notes per measurement, which is their median. */
const SHORT_NOTES = 5
const CPU_NOTES = 6
const NOTES_AT_ONCE = 100
/** Wait for work after the answer (settling minutes, removing events), which is a part of the note's cost. */
const SETTLED_MS = 500

/** Measures one note after another: milliseconds from the webhook to the answer. */
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
      plain: () => each(bench.plainNote),
      close: bench.close,
    }
  }
}

/** Returns processor milliseconds per note, including the settling of its minutes and events after the answer. */
async function cpuOfNotes(pid: number, note: () => Promise<void>): Promise<number[]> {
  const before = cpuOf(pid)
  for (let sent = 0; sent < CPU_NOTES; sent++) await note()
  await wait(SETTLED_MS)
  return [(1000 * (cpuOf(pid) - before)) / CPU_NOTES]
}

export const NOTE_ROWS: Row[] = [
  {
    name: 'note-3s',
    title: '3 s note with an instant engine',
    baseline: PROGRAM,
    figures: [{ name: 'webhook to answer', unit: 'ms', goal: { addedAtMost: 60 } }],
    inTheWay: WRITES,
    seconds: 25,
    open: openOneByOne(SHORT_NOTES, { noteSeconds: 3 }),
  },
  {
    name: 'note-3s-as-is',
    title: '3 s note with an instant engine, beside the least that is possible',
    baseline: AS_IS,
    figures: [{ name: 'webhook to answer', unit: 'ms', goal: { addedAtMost: 150 } }],
    inTheWay: WRITES,
    seconds: 25,
    open: openOneByOne(SHORT_NOTES, { noteSeconds: 3, form: 'as-is' }),
  },
  {
    name: 'note-60s',
    title: '60 s note with an engine of 2 s',
    baseline: PROGRAM,
    figures: [{ name: 'webhook to answer', unit: 'ms', goal: { ratioAtMost: 1.05 } }],
    inTheWay: WRITES,
    seconds: 60,
    open: openOneByOne(1, { noteSeconds: 60, engineMs: 2_000 }),
  },
  {
    name: 'cpu',
    title: 'Processor time of a 6 s note without the engine',
    baseline: PROGRAM,
    figures: [{ name: 'one note', unit: 'ms', goal: { ratioAtMost: 0.74 } }],
    inTheWay: WRITES,
    seconds: 35,
    async open() {
      const bench = await startBench({ noteSeconds: 6 })
      return {
        async ours() {
          const { number } = await bench.personFor(CPU_NOTES)
          return cpuOfNotes(bench.pid, () => bench.note(number))
        },
        plain: () => cpuOfNotes(bench.plainPid, bench.plainNote),
        close: bench.close,
      }
    },
  },
  {
    name: 'at-once',
    title: `${NOTES_AT_ONCE} notes of 6 s at once`,
    baseline: `${PROGRAM}; as many at once as there are cores`,
    figures: [{ name: 'notes', unit: '/s', goal: { ratioAtLeast: 0.9 } }],
    inTheWay: WRITES,
    seconds: 125,
    async open() {
      const bench = await startBench({ noteSeconds: 6 })
      const perSecond = async (note: () => Promise<void>) => {
        const all = () => Promise.all(Array.from({ length: NOTES_AT_ONCE }, note))
        return [(1000 * NOTES_AT_ONCE) / (await millisecondsOf(all))]
      }
      return {
        async ours() {
          const { number } = await bench.personFor(NOTES_AT_ONCE)
          return perSecond(() => bench.note(number))
        },
        plain: () => perSecond(bench.plainNote),
        close: bench.close,
      }
    },
  },
]
