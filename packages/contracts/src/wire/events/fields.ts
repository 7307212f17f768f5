import { UI_LANGUAGES } from '@voxscribe/languages'
import { z } from 'zod'
import { GIST_CHOICES } from '../../knowledge/business.ts'
import { Transcription, TranscriptionStatus } from '../answers.ts'
import { enumerated, NoteSource, Source } from '../event.ts'

// Fields that events of several senders have.

/** The command in a text of the chat; `hint`: none was understood; `plan`: it asks to cancel the plan. */
export const ChatCommand = z.enum(['hint', 'help', 'minutes', 'plan'])
export type ChatCommand = z.infer<typeof ChatCommand>

export const seconds = z.number().nonnegative()
/** Language of the texts for the person. */
export const uiLanguage = enumerated(z.enum(UI_LANGUAGES), 'en')
/** Language of the texts for the person, if it is known. */
export const uiLanguageIfKnown = enumerated(z.enum(UI_LANGUAGES).optional())
/** Notes of a person whose gist is made by itself; unset: `long`. */
export const gists = enumerated(z.enum(GIST_CHOICES).optional())
/**
 * A person's choice about their audio: whether it is kept once its text is there, and for how many days. For audio
 * stored and texts completed from `since` on. Unset: kept for the installation's days.
 */
export const audio = z
  .object({ keep: z.boolean(), days: z.int().positive().optional(), since: z.iso.datetime() })
  .optional()
/** Choices of an account for its notes and their texts. */
export const choices = {
  language: z.string(),
  /** ISO 3166-1 alpha-2, of the person's number. */
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  uiLanguage: uiLanguageIfKnown,
  /** Of the dates in files made of the note. Unset: UTC. */
  timeZone: z.string().optional(),
  gists,
}
/** An unknown command is answered like plain text. */
export const chatCommand = enumerated(ChatCommand, 'hint')
/** A note as its person sees it, in the event of its end. */
export const noteThatIs = (status: z.infer<typeof TranscriptionStatus>) =>
  Transcription.extend({
    titleFrom: enumerated(Transcription.shape.titleFrom, 'text'),
    tags: z.array(z.string()).default([]),
    status: enumerated(TranscriptionStatus, status),
  })
export const userId = z.string().min(1)
export const Medium = { mediaId: z.uuid(), userId }
export const Note = { transcriptionId: z.uuid(), userId }
/** One recognition of a note. `attempt`: 1 for the first, one more for each refresh. */
export const Attempt = { ...Note, seconds, attempt: z.int().positive() }
/** The messages that an attempt's outcome answers. `asked`: the command by which its person asked for it in a chat. */
export const Outcome = { source: NoteSource, asked: Source.optional() }
