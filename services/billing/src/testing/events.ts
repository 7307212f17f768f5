import {
  AccountErased,
  type ChatCommand,
  ChatCommandReceived,
  derivedId,
  MediaNormalised,
  type NoteSource,
  NoteWithdrawn,
  SenderLinked,
  TranscriptionCompleted,
  TranscriptionFailed,
  UserRegistered,
  UserUpdated,
} from '@voxscribe/contracts/events'

// Events from other services, as billing receives them.

interface Note {
  userId: string
  transcriptionId: string
  attempt: number
}

/** An attempt at one of the user's notes; the same name returns the same note. */
export const noteOf = (userId: string, name: string | number = 'note', attempt = 1): Note => ({
  userId,
  transcriptionId: derivedId(userId, String(name)),
  attempt,
})

const source = { channel: 'whatsapp', address: '15550001', messageId: 'wamid.1' } as const

interface Contact {
  phone: string | null
  email: string
  revision: number
  blocked: boolean
}
const contactOf = (userId: string, contact: Partial<Contact>) => ({
  userId,
  phone: null,
  phoneClaimedAt: new Date().toISOString(),
  linkCode: 'ABC234',
  language: 'auto',
  email: `${userId}@example.com`,
  firstName: 'Ada',
  lastName: 'Byron',
  uiLanguage: 'en' as const,
  revision: 0,
  ...contact,
})

export const profileChange = (userId: string, contact: Partial<Contact>) =>
  UserUpdated.create(contactOf(userId, contact))

export const registration = (userId: string, registeredAt = new Date(), contact: Partial<Contact> = {}) =>
  UserRegistered.create({
    ...contactOf(userId, contact),
    registeredAt: registeredAt.toISOString(),
  })

export const noteMeasured = (note: Note, seconds: number, from: NoteSource = source) =>
  MediaNormalised.create({ ...note, seconds, source: from })

export const commanded = (userId: string, command: ChatCommand) =>
  ChatCommandReceived.create({ userId, command, source })

export const accountErased = (userId: string, phone: string | null = null) =>
  AccountErased.create({ userId, phone, email: `${userId}@example.com`, firstName: 'Ada', uiLanguage: 'en' })

/** A message with the account's link code from this number. */
export const numberProved = (userId: string, phone: string) =>
  SenderLinked.create({ userId, phone, whatsappUserId: null, source })

export const noteCompleted = (note: Note, seconds: number) =>
  TranscriptionCompleted.create({
    ...note,
    seconds,
    audioSeconds: seconds,
    title: 'words',
    text: 'words',
    words: 1,
    language: 'en',
    engine: 'test',
    remainingSeconds: 0,
    notices: [],
    source,
  })

export const noteFailed = (note: Note, seconds = 0) =>
  TranscriptionFailed.create({
    ...note,
    reason: { code: 'unreadable_audio' },
    seconds,
    source,
  })

export const noteWithdrawn = ({ userId, transcriptionId: mediaId }: Note) =>
  NoteWithdrawn.create({ userId, mediaId })
