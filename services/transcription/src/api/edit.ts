import type { api, BodyOf } from '@voxscribe/contracts/http'
import { joinedText } from '@voxscribe/contracts/paragraphs'
import { countWords } from '@voxscribe/contracts/text'
import { invalidField, refusal } from '@voxscribe/service'
import type { Segment, Speaker } from '@voxscribe/speech'
import { foundByOf } from '../note/listing.ts'
import { type Edited, type NoteRecord, segmentsOf } from '../note/record.ts'
import { canKeep } from '../note/results.ts'
import type { Notes } from '../note/store.ts'

/** Product limit: edits of a person. */
export const EDITS = { points: 60, seconds: 60 }

export type Edit = NonNullable<BodyOf<typeof api.editTranscription>>

/** As many as the limit allows at once: each failed attempt means that another edit succeeded. */
const TRIES = EDITS.points
const isOld = () => refusal('version_conflict')

/** Parses `If-Match`: `"7"`, `7` or `*`; undefined if the edit applies to any version. */
export function versionOf(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  const [, version] = /^\s*"?(\d{1,15})"?\s*$/.exec(header) ?? []
  if (!version) throw invalidField('If-Match', 'version_malformed')
  return Number(version)
}

/** Edits a note. Throws 409 unless it has this version; without one, edits the newest, which `change` may read. */
export async function edit(
  notes: Notes,
  find: () => Promise<NoteRecord>,
  change: Edit | ((note: NoteRecord) => Edit),
  version: number | undefined,
): Promise<NoteRecord> {
  for (let tried = 1; tried <= TRIES; tried++) {
    const note = await find()
    if (version !== undefined && note.version !== version) throw isOld()
    const set = edited(note, typeof change === 'function' ? change(note) : change)
    if (!Object.keys(set).length) return note
    const done = await notes.edited(note, { ...set, words: foundByOf({ ...note, ...set }) })
    if (done) return done
  }
  throw isOld()
}

function edited(note: NoteRecord, { title, tags, speakers, segments: changes, restore }: Edit): Edited {
  const named = {
    ...(title !== undefined && { title }),
    ...(tags && { tags }),
    ...(speakers && { speakers: renamed(note, speakers) }),
  }
  if (restore) {
    if (!note.original) return named
    const { segments } = note.original
    return {
      ...named,
      ...note.original,
      segments: withSpeakers(note, segments),
      original: null,
    }
  }
  if (!changes) return named
  const segments = segmentsOf(note)
  const changed = new Map(changes.map(({ id, ...change }) => [id, change]))
  const unknown = [...changed.keys()].find(id => !segments.some(segment => segment.id === id))
  if (unknown !== undefined) throw invalidField('segments', 'passage_unknown', { id: unknown })
  for (const { speaker } of changes) if (speaker !== undefined) checkSpeaker(note, speaker)
  const texts = new Map(changes.flatMap(({ id, text }) => (text === undefined ? [] : [[id, text]])))
  let { wordCount } = note
  const next = segments.map(said => {
    const { speaker = said.speaker } = changed.get(said.id) ?? {}
    const segment = speaker === said.speaker ? said : { ...said, ...(speaker !== undefined && { speaker }) }
    const text = texts.get(segment.id)
    if (text === undefined || text === segment.text) return segment
    wordCount += countWords(text) - countWords(segment.text)
    // The times belonged to other words.
    const { words: _words, ...rest } = segment
    return { ...rest, text }
  })
  if (!texts.size) return { ...named, segments: next }
  const text = joinedText(next, note.spokenLanguage)
  const original = note.original ?? { text: note.text, wordCount: note.wordCount, segments }
  if (!canKeep(text, original.text) && text.length > note.text.length)
    throw invalidField('segments', 'transcript_too_long')
  return { ...named, segments: next, text, wordCount, original }
}

function checkSpeaker({ speakers = [] }: NoteRecord, id: string): void {
  if (!speakers.some(speaker => speaker.id === id)) throw invalidField('speakers', 'speaker_unknown', { id })
}

function renamed(note: NoteRecord, changes: NonNullable<Edit['speakers']>): Speaker[] {
  const names = new Map(changes.map(({ id, name }) => [id, name || null]))
  for (const id of names.keys()) checkSpeaker(note, id)
  return (note.speakers ?? []).map(({ id, name }) => ({
    id,
    name: names.has(id) ? (names.get(id) ?? null) : name,
  }))
}

/** Gives these segments the current speakers of the note's segments. */
function withSpeakers(note: NoteRecord, segments: Segment[]): Segment[] {
  const speakers = new Map(segmentsOf(note).map(({ id, speaker }) => [id, speaker]))
  return segments.map(segment => {
    const speaker = speakers.get(segment.id) ?? segment.speaker
    return { ...segment, ...(speaker !== undefined && { speaker }) }
  })
}
