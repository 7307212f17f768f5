import { messageOf } from '@voxscribe/contracts/events'
import { LONG_SPEECH_SECONDS } from '@voxscribe/contracts/limits'
import { Later } from '@voxscribe/messaging'
import { Problem } from '@voxscribe/service'
import { lengthOfAll, spansOf } from '@voxscribe/speech'
import { textDigest } from '../note/derived.ts'
import { spokenText } from '../note/item.ts'
import type { NoteRecord, Work } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { NoteWaits, PAUSE_MS, type StepWork } from '../queue/loop.ts'
import { gistOf } from './gist.ts'
import type { TextWork } from './text-work.ts'

/** Automatic gists at once per process; few, as gists that people wait for come first. */
const AT_ONCE = 2
/** Automatic texts are given up after this time. */
const GIVEN_UP_MS = 86_400_000

/** Makes the gist of a note in a language, or returns the kept one. */
export const createGists =
  ({ write }: TextWork, notes: Pick<Notes, 'byId'>, now: () => Date) =>
  (note: NoteRecord, language: string): Promise<NoteRecord> =>
    write(
      note,
      note => note.gist?.language === language && note.gist.said === textDigest({ text: spokenText(note) }),
      async (note, model, signal) => {
        const said = { text: spokenText(note), at: note.createdAt }
        const { lines, tasks } = await gistOf(model, said, language, signal)
        // A task may have been ticked since the note was read.
        const before = (await notes.byId(note._id))?.gist?.tasks ?? []
        const done = new Set(before.filter(({ done }) => done).map(({ text }) => text))
        return {
          gist: {
            lines,
            tasks: tasks.map(task => ({ ...task, done: done.has(task.text) })),
            language,
            model: model.name,
            at: now(),
            of: textDigest(note),
            said: textDigest(said),
          },
        }
      },
    )
export type Gists = ReturnType<typeof createGists>

/** Returns the seconds of speech; the note's length if not all spans are known. */
const speechSeconds = ({ spoken, durationSeconds }: NoteRecord): number =>
  spoken ? lengthOfAll(spansOf(spoken)) : (durationSeconds ?? 0)

const isLong = (note: NoteRecord) => speechSeconds(note) > LONG_SPEECH_SECONDS

/** Whether a note gets an automatic gist, as its person chose. */
export function wantsGist(note: NoteRecord): boolean {
  const { gists = 'long' } = note
  return gists === 'all' || (gists === 'long' && isLong(note))
}

/** Whether the reply to a note with an automatic gist waits for it: for long notes from a chat. */
export const replyAwaitsGist = (note: NoteRecord): boolean =>
  isLong(note) && Boolean(note.asked?.source ?? (note.attempt === 1 && messageOf(note.source)))

/** Throws to postpone a text that can be made later, for up to a day; rethrows errors that are not refusals. */
export function laterIfBusy(error: unknown, { work }: NoteRecord, now: Date): void {
  if (!(error instanceof Problem)) throw error
  const isLate = now.getTime() - (work?.since.getTime() ?? 0) > GIVEN_UP_MS
  if (isLate) return
  if (error.code === 'text_under_way') throw new NoteWaits(error.message, PAUSE_MS, { cause: error })
  if (error.status === 503)
    throw new Later(error.message, 1000 * (error.retryAfterSeconds ?? PAUSE_MS / 1000), { cause: error })
}

interface Deps {
  notes: Pick<Notes, 'summarised'>
  gists: Gists
  textWork: Pick<TextWork, 'isOn' | 'automatically'>
  next?(note: NoteRecord): Promise<Work | null>
  now(): Date
}

/** Makes the automatic gist of a completed note; a failure only means that there is no gist. */
export const createSummarising = ({
  notes,
  gists,
  textWork,
  next = async () => null,
  now,
}: Deps): StepWork => ({
  places: textWork.isOn() ? AT_ONCE : 0,
  secondsOf: ({ durationSeconds }) => durationSeconds ?? 0,
  giveUp: async note => notes.summarised(note, await next(note)),
  async work(note) {
    const make = () => gists(note, note.uiLanguage ?? 'en')
    const done = await textWork.automatically(note, make).catch(error => {
      laterIfBusy(error, note, now())
      return note
    })
    await notes.summarised(done, await next(done))
  },
})
