import { z } from 'zod'
import { enumerated, event } from '../event.ts'
import { Note, uiLanguage, userId } from './fields.ts'

/** The first answer to a claimed number named the account and asked whether that is right. */
export const OwnershipAsked = event('ownership-asked', {
  userId,
  phoneClaimedAt: z.iso.datetime(),
})

/** A hook was created. The person gets a mail, in case it was someone else. */
export const HookMade = event('hook-made', { userId, url: z.string() })

/** Every delivery to a person's hook has failed for five days, or its address answered that it is gone. */
export const HookTurnedOff = event('hook-turned-off', {
  userId,
  url: z.string(),
  isGone: z.boolean().optional(),
})

/** A note's outcome was sent to its person. `command`: as the answer to a command about the note. */
export const AnswerSent = event('answer-sent', {
  ...Note,
  way: enumerated(z.enum(['chat', 'mail', 'command']), 'command'),
  /** The provider's ids of messages about this note: quoting one of them refers to the note. */
  messageIds: z.array(z.string()).max(2).default([]),
  /** Command whose answer listed hits; `transcriptionId` has the same id. Quoting it with a number picks a hit. */
  searchId: z.uuid().optional(),
})

export const ContactMessageReceived = event('contact-message-received', {
  name: z.string(),
  email: z.email(),
  subject: z.string(),
  message: z.string(),
  uiLanguage,
})
