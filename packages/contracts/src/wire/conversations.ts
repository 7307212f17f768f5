import { z } from 'zod'
import { isLanguage } from '../knowledge/languages.ts'
import {
  CHAT_BYTES_MAX,
  CHAT_FILES_MAX,
  MESSAGES_PAGE_MAX,
  SEARCH_MAX,
  SHARE_DAYS,
  TITLE_MAX,
} from '../knowledge/limits.ts'
import { refusalText as say } from '../knowledge/refusals.ts'
import { isTimeZone } from '../knowledge/time-zones.ts'
import { oneLine } from '../knowledge/wording.ts'
import { TranscriptionStatus } from './answers.ts'
import { wholeNumber } from './requests.ts'

// A chat export as a conversation: requests and answers.

/** ISO time in UTC, to the second. */
const at = z.string()

export const ConversationPerson = z.object({
  id: z.string(),
  name: z.string(),
  /** Notices do not count. */
  messages: z.int(),
})
const ConversationFile = z.object({
  file: z.string(),
  bytes: z.int(),
  at: at.nullable(),
  personId: z.string().nullable(),
  transcriptionId: z.string().nullable(),
})
export const ConversationRow = z.object({
  id: z.string(),
  source: z.enum(['whatsapp', 'telegram']),
  name: z.string(),
  people: z.array(ConversationPerson),
  /** The caller's person in this conversation. */
  me: z.string().nullable(),
  from: at,
  to: at,
  messages: z.int(),
  /** Null if the year comes first in its dates, or if their format leaves no doubt. */
  dayFirst: z.boolean().nullable(),
  /** No date in the file decides whether the day or the month comes first. */
  ambiguous: z.boolean(),
  timeZone: z.string(),
  /** Language expected in its notes; null: as in the profile. */
  language: z.string().nullable(),
  version: z.int(),
  createdAt: z.iso.datetime(),
})
export const Conversation = ConversationRow.extend({
  /** Recordings that a message names, in their order. */
  notes: z.array(ConversationFile),
  /** Files that a message names but the export lacks. */
  missing: z.array(z.string()),
})
export const ConversationMessage = z.object({
  /** Its number in the whole chat, from 1. */
  n: z.int().positive(),
  at,
  personId: z.string().nullable(),
  kind: z.enum(['text', 'note', 'file', 'deleted', 'system']),
  text: z.string(),
  edited: z.boolean(),
  /** `omitted`: the export left the file out, and the name is null. */
  file: z.object({ name: z.string().nullable(), omitted: z.boolean() }).nullable(),
  note: z
    .object({
      id: z.string(),
      status: TranscriptionStatus,
      durationSeconds: z.number().nullable(),
      text: z.string(),
    })
    .nullable(),
})
export const MessagePage = z.object({
  messages: z.array(ConversationMessage),
  /** The `after` of the next page; null at the end. */
  next: z.int().nullable(),
})
/** Bytes of a body: JSON may escape each byte of the text as six, and the list of files is sent along. */
export const CONVERSATION_BODY_MAX = 6 * CHAT_BYTES_MAX + 64 * 1024 * 1024

const language = z
  .string()
  .refine(id => isLanguage(id), 'language must be a language id')
  .nullable()
const name = z.string().overwrite(oneLine).min(1, say('name_missing')).max(TITLE_MAX, say('name_too_long'))
const dayFirst = z.boolean()

export const ConversationBody = z.object({
  source: z.enum(['whatsapp', 'telegram']),
  name,
  text: z.string(),
  files: z
    .array(
      z.object({
        name: z.string().min(1).max(1_000),
        bytes: z.int().nonnegative(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/i, 'sha256 must have 64 hexadecimal digits'),
      }),
    )
    .max(CHAT_FILES_MAX, `At most ${CHAT_FILES_MAX} files`)
    .default([]),
  /** Order to use if no date decides; unset: the likelier one. */
  dayFirst: dayFirst.optional(),
  /** Time zone of the phone that exported it; unset: UTC. */
  timeZone: z.string(say('time_zone_unknown')).refine(isTimeZone, say('time_zone_unknown')).default('UTC'),
  language: language.optional(),
})
export const ChangeConversationBody = z
  .object({
    name: name.optional(),
    /** `sameAs`: another entry for the same person; null: nobody else. */
    people: z
      .array(
        z.object({
          id: z.string().max(40),
          name: name.optional(),
          sameAs: z.string('sameAs must be the id of a person').max(40).nullable().optional(),
        }),
      )
      .max(1_000)
      .optional(),
    me: z.string('me must be the id of a person').max(40).nullable().optional(),
    dayFirst: dayFirst.optional(),
    language: language.optional(),
    /** Version that the change is based on. */
    version: z.int().optional(),
  })
  .refine(({ version: _, ...changes }) => Object.keys(changes).length > 0, say('nothing_changed'))
export const DeleteConversationQuery = z.object({
  /** Whether its notes are deleted, too; otherwise they become ordinary notes. */
  notes: z.enum(['true', 'false']),
})
export const CONVERSATION_FORMATS = ['txt', 'md', 'docx', 'pdf', 'json', 'zip'] as const
export const ConversationExportQuery = z.object({
  format: z.enum(CONVERSATION_FORMATS),
  /** Adds line numbers, and the digests of the chat, of each recording and of the text. */
  certified: z.enum(['on', 'off']).default('off'),
})
export const ShareConversationBody = z.object({
  days: z.literal(SHARE_DAYS),
})
export const MessagesQuery = z.object({
  after: wholeNumber('after', { min: 0 }).default(0),
  limit: wholeNumber('limit', { max: MESSAGES_PAGE_MAX }).default(MESSAGES_PAGE_MAX / 2),
  search: z.string('search must be one text').trim().max(SEARCH_MAX).optional(),
  person: z.string('person must be one id').max(40).optional(),
  kind: z.literal('note').optional(),
  /** Messages from this day on, in the chat's time zone. */
  day: z.iso.date('day must be a date such as 2025-03-14').optional(),
})

export type Conversation = z.infer<typeof Conversation>
export type ConversationRow = z.infer<typeof ConversationRow>
export type ConversationMessage = z.infer<typeof ConversationMessage>
