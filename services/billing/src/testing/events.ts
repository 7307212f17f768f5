import {
  MediaNormalised,
  TranscriptionCompleted,
  TranscriptionFailed,
  UserRegistered,
} from '@voxscribe/contracts/events'

// What the other services say, as billing hears it.

interface Note {
  userId: string
  transcriptionId: string
  attempt: number
}

const source = { channel: 'whatsapp', address: '15550001', messageId: 'wamid.1' } as const

export const registration = (userId: string, registeredAt = new Date()) =>
  UserRegistered.create({
    userId,
    phone: '15550001000',
    phoneClaimedAt: registeredAt.toISOString(),
    linkCode: 'ABC234',
    language: 'auto',
    email: `${userId}@example.com`,
    firstName: 'Ada',
    lastName: 'Byron',
    revision: 0,
    registeredAt: registeredAt.toISOString(),
  })

export const noteMeasured = (note: Note, seconds: number) => MediaNormalised.create({ ...note, seconds })

export const noteCompleted = (note: Note, seconds: number) =>
  TranscriptionCompleted.create({
    ...note,
    seconds,
    audioSeconds: seconds,
    text: 'words',
    words: 1,
    language: 'en',
    engine: 'test',
    remainingSeconds: 0,
    notice: null,
    source,
  })

export const noteFailed = (note: Note) =>
  TranscriptionFailed.create({
    ...note,
    reason: { code: 'corrupt', sentence: 'The file is damaged.' },
    source,
  })
