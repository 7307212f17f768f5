import type { Transcription } from '@voxscribe/contracts/http'
import { textInParagraphs } from '@voxscribe/contracts/paragraphs'
import { noticeOf, sentenceOf } from '@voxscribe/contracts/reasons'
import { audioLength, speakerNames } from '@voxscribe/contracts/wording'
import { english } from '@voxscribe/languages'
import { languageOf, titled } from './listing.ts'
import type { NoteRecord } from './record.ts'

/** Presents a note as the API shows it, field by field. */
export function presentNote(note: NoteRecord): Transcription {
  const createdAt = note.createdAt.toISOString()
  return {
    id: note._id,
    fileName: note.fileName,
    ...titled(note),
    tags: note.tags ?? [],
    source: note.source.channel,
    engine: note.engine,
    edited: Boolean(note.original),
    version: note.version,
    date: createdAt.slice(0, 10),
    time: createdAt.slice(11, 16),
    createdAt,
    fileSize: note.bytes,
    audioLength: note.durationSeconds === null ? '' : audioLength(english, note.durationSeconds),
    durationSeconds: note.durationSeconds,
    language: languageOf(note),
    status: note.status,
    text: note.text,
    wordCount: note.wordCount,
    confidenceScore: note.confidence,
    notice: noticeOf(english, note.notices),
    notices: note.notices,
    error: note.error && sentenceOf(english, note.error),
    failure: note.error,
    audioAvailable: note.objectKey !== null,
    sameAs: note.sameAs ?? null,
    speakers: note.speakers ?? [],
    voices: note.speakers?.length || null,
    ...presentConversationPlace(note),
  }
}

/** Presents the conversation and the sender of a note. */
export function presentConversationPlace({
  conversation,
  sender = null,
}: Pick<NoteRecord, 'conversation' | 'sender'>) {
  const { id, name, n } = conversation ?? { id: '', name: '', n: null }
  return { conversation: conversation ? { id, name, n } : null, sender }
}

/** Returns the text for a gist, with the names of speakers, so that the gist can say who promised what. */
export const spokenText = (
  note: Pick<NoteRecord, 'segments' | 'speakers' | 'spokenLanguage' | 'text'>,
): string =>
  note.speakers?.length
    ? textInParagraphs(note.segments, note.spokenLanguage, note.text, speakerNames(english, note.speakers))
    : note.text
