import { createReadStream, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { EventOf } from '@voxscribe/contracts/events'
import type { Transcription, TranscriptionDocument } from '@voxscribe/contracts/http'
import { UI_LANGUAGES, type UiLanguage } from '@voxscribe/languages'
import { type ByteRange, claimOnce, type Documents, insertOnce, schemaOf } from '@voxscribe/service'
import { z } from 'zod'
import { textDigest } from '../../note/derived.ts'
import { presentNote } from '../../note/item.ts'
import type { Audio } from '../../note/played.ts'
import { NoteRecord } from '../../note/record.ts'
import { presentDocument } from '../document.ts'
import texts from './texts.json' with { type: 'json' }

/** `_id`: the person's id; `since`: when they signed up. */
const SampleRecord = z.object({ _id: z.string(), since: z.date(), removed: z.boolean() })
type SampleRecord = z.infer<typeof SampleRecord>

const idIn = (language: UiLanguage) => `sample-${language}`

const languageOf = (id: string): UiLanguage | undefined =>
  UI_LANGUAGES.find(language => idIn(language) === id)

const pathOf = (language: UiLanguage) => fileURLToPath(new URL(`recordings/${language}.ogg`, import.meta.url))

function recordingIn(language: UiLanguage): Audio {
  const key = pathOf(language)
  return { key, bytes: statSync(key).size, mime: 'audio/ogg', fileName: 'sample.ogg', sha256: null }
}

/** Returns the recording of a sample note by its id; undefined for any other note. Anyone may hear it. */
export function sampleRecording(id: string) {
  const language = languageOf(id)
  if (!language) return undefined
  const audio = recordingIn(language)
  return { audio, open: async (range?: ByteRange) => createReadStream(audio.key, range) }
}

/**
 * Adds a sample note, in the reader's language, to the list of a new account until the person removes it. Only a mark
 * is stored: the sample is in no collection of notes, so nothing counts, charges, finds or exports it.
 */
export function createSamples(documents: Documents) {
  const marks = documents.model('samples', schemaOf(SampleRecord), { owner: '_id' })

  function noteIn(language: UiLanguage, { _id: userId, since }: SampleRecord): NoteRecord {
    const { title, summary, todos, speakers, seconds, levels, segments } = texts[language]
    const { bytes, mime, fileName, key: objectKey } = recordingIn(language)
    const text = segments.map(segment => segment.text).join(' ')
    const tasks = todos.map(todo => ({ text: todo, due: null, done: false }))
    const gist = { lines: [summary], tasks, language, model: '', at: since, of: textDigest({ text }) }
    const facts = { _id: idIn(language), userId, traceId: '', source: { channel: 'web' }, createdAt: since }
    const note = NoteRecord.parse({
      ...{ ...facts, bytes, mime, fileName, objectKey, title, language, spokenLanguage: language },
      ...{ status: 'completed', stage: null, since, timeline: [], levels, durationSeconds: seconds },
      ...{ text, timesExact: true, wordCount: text.split(/\s+/).length, gist },
      speakers: speakers.map((name, index) => ({ id: String(index + 1), name })),
      segments: segments.map(segmentOf),
    })
    return { ...note, outbox: [] }
  }

  async function sampleNote(userId: string, language: UiLanguage): Promise<NoteRecord | null> {
    const mark = await marks.findOne({ _id: userId, removed: false }).lean<SampleRecord | null>()
    return mark && noteIn(language, mark)
  }

  return {
    /** Gives a new account its sample; null if it had one before. Idempotent, even after a removal. */
    async give({ userId, registeredAt, uiLanguage }: EventOf<'UserRegistered'>['data']) {
      const mark = { _id: userId, since: new Date(registeredAt), removed: false }
      return (await insertOnce(marks, mark)) ? noteIn(uiLanguage, mark) : null
    },

    /** Returns the sample for lists; null once it is removed. */
    async itemFor(userId: string, language: UiLanguage): Promise<Transcription | null> {
      const note = await sampleNote(userId, language)
      return note && { ...presentNote(note), sample: true }
    },

    /** Returns the sample with this id for its page; null for any other note. */
    async documentOf(id: string, userId: string): Promise<TranscriptionDocument | null> {
      const language = languageOf(id)
      const note = language ? await sampleNote(userId, language) : null
      return note && { ...presentDocument(note, `/api/transcriptions/${id}/audio`, null), sample: true }
    },

    /** Removes a person's sample for good, even before it is given. Returns whether the id is that of a sample. */
    async remove(id: string, userId: string): Promise<boolean> {
      if (!languageOf(id)) return false
      await claimOnce(marks, { _id: userId, since: new Date(), removed: true }, {})
      return true
    },
  }
}
export type Samples = ReturnType<typeof createSamples>

type Said = (typeof texts)['en']['segments'][number]

/** `at`: when each word begins, then when the last one ends, in seconds. */
function segmentOf({ speaker, text, at }: Said, index: number) {
  const times = (first: number, last = first) => ({ from: at[first]!, to: at[last + 1]!, confidence: null })
  const words = text.split(' ').map((word, place) => ({ ...times(place), text: word }))
  return { id: String(index + 1), ...times(0, words.length - 1), text, speaker, words }
}
