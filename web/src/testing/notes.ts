import type { Statistics, Transcription } from '@voxscribe/contracts/http'
import type { DataFor } from '../api/types.ts'

export const completed: Transcription = {
  id: 'note-1',
  fileName: 'voice-note-1.ogg',
  date: '2026-11-20',
  time: '14:05',
  createdAt: '2026-11-20T14:05:00.000Z',
  fileSize: 48_211,
  audioLength: '42s',
  durationSeconds: 42,
  language: 'en',
  status: 'completed',
  text: 'I will be ten minutes late.',
  wordCount: 6,
  confidenceScore: 0.934,
  notice: null,
  error: null,
  audioAvailable: true,
}
export const processing: Transcription = {
  ...completed,
  id: 'note-2',
  fileName: 'voice-note-2.ogg',
  status: 'processing',
  text: '',
  wordCount: 0,
  confidenceScore: null,
}
export const failed: Transcription = {
  ...processing,
  id: 'note-3',
  fileName: 'voice-note-3.ogg',
  status: 'failed',
  error: 'This file has no sound track. Please send a voice note.',
}

/** One page of a history, as the server answers it. */
export const pageOf = (
  transcriptions: Transcription[],
  { page = 1, total = transcriptions.length, ...statistics }: Partial<Statistics & { page: number }> = {},
): DataFor<'transcriptions'> => ({
  transcriptions,
  statistics: { total, completed: total, processing: 0, failed: 0, ...statistics },
  pagination: { page, limit: 10, total, totalPages: Math.ceil(total / 10) },
})
