import type { OwnWords } from '@voxscribe/contracts/http'
import { NO_SPEECH, noSpeech, type Reason, reason, SPEAKERS_FAILED } from '@voxscribe/contracts/reasons'
import { counter, isDuplicateKey } from '@voxscribe/service'
import {
  type Loop,
  type SavedPart,
  type Segment,
  type Speech,
  UNSURE,
  withOrderedTimes,
} from '@voxscribe/speech'
import { completed, failed, normalised, queued, summarised } from './events.ts'
import { presentNote } from './item.ts'
import type { NoteAttempt, Transitions } from './life.ts'
import { foundByOf, listedLanguageOf } from './listing.ts'
import { type AskedSpeakers, type NoteRecord, type Reserved, WITHOUT_BULK, type Work } from './record.ts'
import { withReplacements } from './replacements.ts'

const notesEnded = counter({
  name: 'transcription_notes_total',
  help: 'Notes that came to an end',
  labelNames: ['outcome'],
})
// The counters start at 0: Prometheus sees no increase in a series that begins at 1, and its alert would stay silent.
for (const outcome of ['completed', 'silent', 'same', 'failed']) notesEnded.inc({ outcome }, 0)

/** Notes in one pass of `notifyLongWaits`. */
const WAITS_AT_ONCE = 200

export type RefreshOptions = Pick<NoteRecord, 'language' | 'askedEngine'> & Partial<Pick<NoteRecord, 'asked'>>

/** Fields of a note that measuring sets. */
const measured = ({
  durationSeconds,
  isSilent,
  levels,
  decibels,
  spoken,
  heardTrack = null,
  played = null,
}: NoteRecord) => ({ durationSeconds, isSilent, levels, decibels, spoken, heardTrack, played })

const noSpeechIn = ({ durationSeconds, decibels }: NoteRecord): Reason =>
  noSpeech({ seconds: durationSeconds ?? 0, decibels })

/** Fields by which lists find a note with this text. */
function listed(note: NoteRecord, speech: Pick<Speech, 'text' | 'spokenLanguage'>) {
  const listedLanguage = listedLanguageOf({ ...note, ...speech })
  return { words: foundByOf({ ...note, text: speech.text }), listedLanguage }
}

/** How long the reply to a note waits for its gist. */
const GIST_AWAITED_MS = 10_000
/** Repetitions of an engine listed in a note's timeline, and characters of each. */
const LOOPS_LISTED = 20
const LOOP_CHARACTERS = 200
/** Earlier speaker commands that a note remembers. */
const ASKERS_KEPT = 20

interface CompletionRules {
  /** Whether the reply in the chat waits for the gist. */
  replyAwaitsGist?: ((note: NoteRecord) => boolean) | undefined
  next?: ((note: NoteRecord) => Promise<Work | null>) | undefined
  replacements?: OwnWords['replacements']
}

/** Takes a measured note to its text: minutes, waits, parts, the outcome, and the next attempt. */
export function createResults({ notes, take, now, changed }: Transitions, noticeMs: number | null) {
  /** Takes a step; if title or tags have changed since the note was read, retries with the new ones. */
  async function withNaming(
    note: NoteRecord,
    step: (note: NoteRecord, where: { version: number }) => Promise<NoteRecord | null>,
  ): Promise<NoteRecord | null> {
    const { _id, attempt, version } = note
    const done = await step(note, { version })
    if (done) return done
    const changedSince = {
      _id,
      attempt,
      version: { $ne: version },
      status: 'processing' as const,
      deletedAt: null,
    }
    const naming = await notes.findOne(changedSince, { title: 1, tags: 1, version: 1 }).lean()
    if (!naming) return null
    const { title, tags, version: newest } = naming
    return withNaming({ ...note, title, tags, version: newest }, step)
  }
  const noticeAfter = (at: Date) => (noticeMs === null ? null : new Date(at.getTime() + noticeMs))

  return {
    noticeAfter,

    /** Asks for minutes; false if another note of the same bytes has (`isInAnotherLanguage`: of bytes and language). */
    async askForMinutes(note: NoteRecord, isInAnotherLanguage = Boolean(note.sameAs)): Promise<boolean> {
      const { userId, sha256, isSilent, sameAs, language } = note
      const firstOf = [userId, sha256, ...(isInAnotherLanguage ? [language] : [])].join(' ')
      const first = { ...(sha256 && !isSilent && { firstOf }), ...(sameAs && { sameAs }) }
      try {
        await take('minutesAsked', note, { ...measured(note), ...first }, { events: [normalised(note)] })
        return true
      } catch (error) {
        if (!isDuplicateKey(error, 'firstOf')) throw error
        return false
      }
    },

    /** Has the note wait; null if it already waits, or has ended. */
    waitForSame: (note: NoteRecord) =>
      take('waitingForSame', note, { ...measured(note), notices: [reason('same_under_way')] }),

    /** Completes a note with the text of another one, including the person's corrections and the original. */
    async completeFrom(note: NoteRecord, first: NoteRecord, sameAs: Reason): Promise<void> {
      const { text, segments, timesExact, wordCount, confidence, engine, original } = first
      const { gist = null, translations = {} } = first
      const spokenLanguage = first.spokenLanguage ?? 'auto'
      const notices = [text ? sameAs : noSpeechIn(first)]
      const { speakers = [], isTwoSided = false } = first
      const who = { speakers, isTwoSided }
      const speech = { text, segments, timesExact, wordCount, confidence, engine, spokenLanguage, notices }
      const same = { ...measured(first), sameAs: first._id, gist, translations }
      const rest = { original, completedAttempt: note.attempt, answerBy: null }
      const done = await withNaming(note, (named, where) => {
        const found = listed({ ...named, ...who }, speech)
        const set = { ...speech, ...who, ...found, ...same, ...rest, version: named.version + 1 }
        const events = [completed({ ...named, ...set, status: 'completed' })]
        return take('sameFound', named, set, { where, events, detail: notices[0] })
      })
      if (done) notesEnded.inc({ outcome: 'same' })
    },

    /** Has a note that was measured late ask for its minutes, under its next attempt. */
    askLate(note: NoteRecord) {
      const next = { ...note, attempt: note.attempt + 1 }
      const set = { ...measured(note), attempt: next.attempt }
      return take('minutesAskedLate', note, set, { events: [normalised(next)] })
    },

    waitForEngine: (note: NoteRecord, missing: Reason) =>
      take('waiting', note, { ...measured(note), notices: [missing] }, { detail: missing }),

    /** Queues a note whose minutes are reserved; with `waitSeconds`, its page shows the wait. */
    queueForRecognition(
      attempt: NoteAttempt,
      work: Work,
      reserved: Reserved,
      waitSeconds: number | undefined,
    ) {
      const notices = waitSeconds ? [reason('in_line', { waitSeconds })] : []
      return take('queued', attempt, { work, reserved, notices })
    },

    /** Sends one notice to the chat of each note whose text takes long, and the text alone if its gist is late. */
    async notifyLongWaits(): Promise<void> {
      const due = { deletedAt: null, answerBy: { $lte: now() } }
      for (const note of await notes.find(due, WITHOUT_BULK).limit(WAITS_AT_ONCE).lean()) {
        const isDone = note.status !== 'processing'
        const events = isDone ? [summarised({ ...note, gist: null })] : queued(note, waitOf(note))
        const change = { $set: { answerBy: null }, $push: { outbox: { $each: events } } }
        await notes.updateOne({ ...due, _id: note._id, status: note.status }, change)
      }
    },

    savePart: (attempt: NoteAttempt, part: SavedPart, spokenSoFar: number[]) =>
      take('partRecognised', attempt, { 'work.since': now(), spokenSoFar }, { push: { parts: part } }),

    /** Writes a text; a refresh never replaces a text with an empty one. `next`: work that follows a text. */
    async completed(
      note: NoteRecord,
      { loops = [], ...heard }: Speech,
      reserved: Reserved,
      { next = async () => null, replyAwaitsGist = () => false, replacements = [] }: CompletionRules = {},
    ): Promise<NoteRecord | null> {
      const segments = withOrderedTimes(heard.segments, note.durationSeconds)
      // Engines are called only if there is speech, so an empty result of one is doubtful.
      const none = [noSpeechIn(note), ...(heard.engine ? [reason('doubtful')] : [])]
      const recognised = withinLimits({ ...heard, segments, notices: heard.text ? heard.notices : none })
      const replaced = withReplacements(recognised, replacements)
      const speech = canKeep(replaced.text, recognised.text) ? replaced : recognised
      const { text: original, wordCount } = recognised
      if (!speech.text && note.completedAttempt && note.text) return this.failed(note, reason(NO_SPEECH))
      const { attempt: completedAttempt } = note
      const { speakers = [] } = heard
      const who = { speakers, isTwoSided: heard.isTwoSided ?? false }
      const text = { ...speech, ...who, completedAttempt }
      const before =
        speech === recognised ? null : { text: original, wordCount, segments: recognised.segments }
      const set = { ...text, original: before, error: null, parts: [], spoken: note.spoken, spokenSoFar: [] }
      const work = speech.text ? await next(note) : null
      // The segments are new: what is being made of the old ones must not be written.
      const made = { translations: {}, writing: null }
      const isAwaited = work?.step === 'summarising' && replyAwaitsGist(note)
      const answerBy = isAwaited ? new Date(now().getTime() + GIST_AWAITED_MS) : null
      const detail = speech.engine?.name ?? speech.notices[0]
      const repeats = loops.slice(0, LOOPS_LISTED).map(repeatsCut)
      const done = await withNaming(note, (named, where) => {
        const found = listed({ ...named, ...who }, speech)
        const all = { ...set, ...found, version: named.version + 1 }
        const events = [completed({ ...named, ...all, status: 'completed' }, reserved, isAwaited)]
        const extras = { where, events, detail, before: repeats }
        return take('completed', named, { ...all, ...made, work, answerBy }, extras)
      })
      if (done) notesEnded.inc({ outcome: speech.text ? 'completed' : 'silent' })
      return done
    },

    /** Queues a note to have its speakers told apart, in place of a waiting gist or form; null if it has other work. */
    askSpeakers(note: NoteRecord, askedSpeakers: AskedSpeakers, work: Work) {
      const notices = note.notices.filter(({ code }) => code !== SPEAKERS_FAILED)
      const { by, earlier = [] } = note.askedSpeakers ?? {}
      const asked = { ...askedSpeakers, ...(by && { earlier: [...earlier, by].slice(-ASKERS_KEPT) }) }
      const isFree = {
        $or: [{ work: null }, { 'work.step': { $in: ['summarising', 'forming'] }, 'work.lease': null }],
      }
      return take('speakersAsked', note, { askedSpeakers: asked, notices, work }, { where: isFree })
    },

    /** Ends work on a text and writes its result; null if the text has changed. `next`: work that follows. */
    textWorkEnded(note: NoteRecord, found: Partial<NoteRecord>, next: Work | null) {
      const { version } = note
      const where = { version, 'work.step': note.work?.step }
      return take('textWorkEnded', note, { ...found, work: next }, { where })
    },

    /** Ends work on a gist or on forms, and sends the reply that waited for the gist. `next`: work that follows. */
    async summarised(note: NoteRecord, next: Work | null = null): Promise<void> {
      const isAwaited = note.answerBy !== null && note.answerBy !== undefined
      const extras = isAwaited ? { events: [summarised(note)] } : {}
      await take('summarised', note, { answerBy: null, work: next }, extras)
    },

    /** Adds times and confidence of a second recognition, unless the text changed. Cut lines increase the version. */
    async addTimes(note: NoteRecord, heard: Pick<Speech, 'segments' | 'timesExact' | 'confidence'>) {
      const { _id, attempt, version, text } = note
      const isKnown = note.notices.some(({ code }) => code === 'doubtful')
      const isNew = (heard.confidence ?? 1) < UNSURE && !isKnown
      const notices = isNew ? [...note.notices, reason('doubtful')] : note.notices
      const segments = withOrderedTimes(heard.segments, note.durationSeconds)
      const isCut = segments.length !== note.segments.length
      const set = {
        ...heard,
        ...withinLimits({ text, segments, notices }),
        ...(isCut && { version: version + 1 }),
      }
      const same = { _id, attempt, version, status: 'completed' as const, deletedAt: null }
      if ((await notes.updateOne(same, { $set: set })).matchedCount) changed({ ...note, ...set })
    },

    /** Fails a note: billing releases its minutes; after a refresh, the previous text stays. */
    async failed(note: NoteRecord, why: Reason, where: { since?: Date } = {}): Promise<NoteRecord | null> {
      const set = note.completedAttempt
        ? { status: 'completed' as const, notices: [reason('refresh_failed', why)], answerBy: null }
        : { status: 'failed' as const, error: why, notices: [], sameAs: note.sameAs ?? null, answerBy: null }
      const done = await withNaming(note, (named, isSame) => {
        const events = [failed(named, why, 0, presentNote({ ...named, ...set }))]
        const extras = { where: { ...where, ...isSame }, events, detail: why }
        return note.completedAttempt
          ? take('textKept', named, set, extras)
          : take('failed', named, set, { ...extras, unset: { firstOf: 1 } })
      })
      if (done) notesEnded.inc({ outcome: 'failed' })
      return done
    },

    /** Begins the next attempt and returns the note; null if another change came first. */
    refreshed(note: NoteRecord, { language, askedEngine, asked = null }: RefreshOptions) {
      const attempt = note.attempt + 1
      const listedLanguage = listedLanguageOf({ ...note, language })
      const answerBy = asked && noticeAfter(now())
      const set = { attempt, language, listedLanguage, askedEngine, asked, answerBy, error: null }
      const events = [normalised({ ...note, attempt })]
      return take('refreshed', note, set, { where: { objectKey: { $ne: null } }, events })
    },
  }
}

/** Timeline entry for words that an engine has repeated. */
const repeatsCut = ({ text, times }: Loop) => ({
  step: 'repeatsCut',
  detail: reason('repeats_cut', { times, text: text.slice(0, LOOP_CHARACTERS) }),
})

/** A shorter remaining wait is not reported. */
const WAIT_MIN_SECONDS = 60

/** Returns the seconds left of a note's estimated wait; null if under a minute or unknown, as in hand. */
function waitOf({ notices, since }: Pick<NoteRecord, 'notices' | 'since'>): number | null {
  const { facts } = notices.find(({ code }) => code === 'in_line') ?? {}
  const left = Number(facts?.waitSeconds ?? 0) - (Date.now() - since.getTime()) / 1000
  return left >= WAIT_MIN_SECONDS ? Math.round(left) : null
}

// A MongoDB document has at most 16 MB. An edited note has its text four times (whole and in segments, current and
// original), and the times of its words twice.

/** About 18 hours of English, 6 of a script with three bytes a letter. */
export const TEXT_MAX_BYTES = 1_000_000
/** A person may make the engine's text 5 times as long, plus 2,000 characters: work that follows costs by length. */
const LONGER = 5
const LONGER_BY = 2_000

/** Whether a note can store a text that a person has made from the engine's. */
export const canKeep = (text: string, original: string): boolean =>
  text.length <= original.length * LONGER + LONGER_BY && Buffer.byteLength(text) <= TEXT_MAX_BYTES

/** Timed words kept per note: about 14 hours of speech. */
const TIMED_WORDS_MAX = 40_000

/** Cuts a result to fit a document: drops the times of words and, with a notice, the end of a long text. */
export function withinLimits<S extends Pick<Speech, 'text' | 'segments' | 'notices'>>(speech: S): S {
  const timed = speech.segments.reduce((sum, { words = [] }) => sum + words.length, 0)
  const isLong = Buffer.byteLength(speech.text) > TEXT_MAX_BYTES
  if (timed <= TIMED_WORDS_MAX && !isLong) return speech
  let left = TEXT_MAX_BYTES
  const segments: Segment[] = []
  for (const { words, ...segment } of speech.segments) {
    const text = beginning(segment.text, left)
    // Plus the space that joins the segments.
    left -= Buffer.byteLength(text) + 1
    if (text || !segment.text) segments.push({ ...segment, text })
  }
  const notices = isLong ? [...speech.notices, reason('text_cut')] : speech.notices
  return { ...speech, text: beginning(speech.text, TEXT_MAX_BYTES), segments, notices }
}

/** Returns the start of a text, in at most so many bytes, without splitting a character. */
function beginning(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, bytes))).read)
}
