import { UI_LANGUAGES } from '@voxscribe/languages'
import { z } from 'zod'
import { GIST_CHOICES } from '../../knowledge/business.ts'
import { Transcription, TranscriptionStatus } from '../answers.ts'
import { enumerated, NoteSource, Source } from '../event.ts'

// Fields shared by events of several senders.

/** The command in a chat text. `hint`: no command was understood; `plan`: a request to cancel the plan. */
export const ChatCommand = z.enum(['hint', 'help', 'minutes', 'plan'])
export type ChatCommand = z.infer<typeof ChatCommand>

export const seconds = z.number().nonnegative()
/** Language of texts for the person. */
export const uiLanguage = enumerated(z.enum(UI_LANGUAGES), 'en')
/** Language of texts for the person, if known. */
export const uiLanguageIfKnown = enumerated(z.enum(UI_LANGUAGES).optional())
/** A person's notes that get a gist automatically; unset: `long`. */
export const gists = enumerated(z.enum(GIST_CHOICES).optional())
/**
 * A person's choice about audio: whether it is kept after its text is ready, and for how many days. Applies to audio
 * stored and texts completed from `since` on. Unset: kept for the installation's days.
 */
export const audio = z
  .object({ keep: z.boolean(), days: z.int().positive().optional(), since: z.iso.datetime() })
  .optional()
/** An account's choices for its notes and their texts. */
export const choices = {
  language: z.string(),
  /** Country of the person's number, ISO 3166-1 alpha-2. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  uiLanguage: uiLanguageIfKnown,
  /** Time zone of dates in files made from the note. Unset: UTC. */
  timeZone: z.string().optional(),
  gists,
}
/** An unknown command is answered like plain text. */
export const chatCommand = enumerated(ChatCommand, 'hint')
/** A note as its person sees it, in the event that ends it. */
export const noteThatIs = (status: z.infer<typeof TranscriptionStatus>) =>
  Transcription.extend({
    titleFrom: enumerated(Transcription.shape.titleFrom, 'text'),
    tags: z.array(z.string()).default([]),
    status: enumerated(TranscriptionStatus, status),
  })
export const userId = z.string().min(1)
export const Medium = { mediaId: z.uuid(), userId }
export const Note = { transcriptionId: z.uuid(), userId }
/** One recognition of a note. `attempt`: 1, plus 1 for each refresh. */
export const Attempt = { ...Note, seconds, attempt: z.int().positive() }
/** Messages that an attempt's outcome answers. `asked`: the chat command that requested the attempt. */
export const Outcome = { source: NoteSource, asked: Source.optional() }
