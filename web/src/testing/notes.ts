import type { DataFor } from '@voxscribe/contracts/calls'
import type { Statistics, Transcription, TranscriptionDocument } from '@voxscribe/contracts/http'

export const completed: Transcription = {
  id: 'note-1',
  fileName: 'voice-note-1.ogg',
  title: 'voice-note-1.ogg',
  titleFrom: 'file',
  tags: [],
  source: 'whatsapp',
  engine: null,
  edited: false,
  version: 1,
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
  notices: [],
  error: null,
  failure: null,
  audioAvailable: true,
  sameAs: null,
  speakers: [],
  voices: null,
  conversation: null,
  sender: null,
}
/** The sample note of a new account. */
export const sample: Transcription = {
  ...completed,
  id: 'sample-en',
  title: 'The meeting moves',
  sample: true,
}
export const processing: Transcription = {
  ...completed,
  id: 'note-2',
  fileName: 'voice-note-2.ogg',
  title: 'voice-note-2.ogg',
  status: 'processing',
  text: '',
  wordCount: 0,
  confidenceScore: null,
}
export const failed: Transcription = {
  ...processing,
  id: 'note-3',
  fileName: 'voice-note-3.ogg',
  title: 'voice-note-3.ogg',
  status: 'failed',
  error: 'This file has no sound. Please send a recording that has a sound track.',
  failure: { code: 'no_audio_track' },
}

/** The completed note as its own page receives it. */
export const document: TranscriptionDocument = {
  ...completed,
  engine: { name: 'local', model: 'whisper-base' },
  passedOver: [{ name: 'openai', reason: 'model_missing' }],
  edited: false,
  version: 3,
  speakersProgress: null,
  segments: [
    {
      id: 's1',
      from: 0.5,
      to: 2,
      text: 'I will be',
      confidence: 0.9,
      words: [
        { from: 0.5, to: 0.9, text: 'I', confidence: 0.9 },
        { from: 1, to: 1.4, text: 'will', confidence: 0.4 },
        { from: 1.5, to: 2, text: 'be', confidence: null },
      ],
    },
    { id: 's2', from: 61.2, to: 63, text: 'ten minutes late.', confidence: 0.95 },
  ],
  paragraphs: [
    { from: 0.5, to: 2, text: 'I will be' },
    { from: 61.2, to: 63, text: 'ten minutes late.' },
  ],
  partial: null,
  timesExact: true,
  timeline: [
    { step: 'received', at: '2026-11-20T14:05:00.000Z', ms: null, detail: null, reason: null },
    { step: 'completed', at: '2026-11-20T14:05:04.000Z', ms: 3_200, detail: 'local', reason: null },
  ],
  original: null,
  audioUrl: '/api/transcriptions/note-1/audio?token=t1',
  gist: null,
  translations: [],
  texts: [],
  levels: [0.1, 0.6, 0.9, 0.3],
  share: null,
}

/** One page of a history, as the server returns it. */
export const pageOf = (
  transcriptions: Transcription[],
  { page = 1, total = transcriptions.length, ...statistics }: Partial<Statistics & { page: number }> = {},
): DataFor<'transcriptions'> => ({
  transcriptions,
  statistics: { total, completed: total, processing: 0, failed: 0, ...statistics },
  pagination: { page, limit: 10, total, totalPages: Math.ceil(total / 10) },
  suggestion: null,
})
