import type { Conversation } from '@voxscribe/contracts/http'

export const conversation: Conversation = {
  id: 'c1',
  source: 'whatsapp',
  name: 'العائلة',
  people: [
    { id: 'p1', name: 'Ana', messages: 2 },
    { id: 'p2', name: 'Bo', messages: 1 },
  ],
  me: 'p1',
  from: '2025-03-14T20:00:00Z',
  to: '2025-03-15T20:00:00Z',
  messages: 4,
  dayFirst: true,
  ambiguous: false,
  timeZone: 'Europe/Berlin',
  language: null,
  version: 1,
  createdAt: '2026-11-20T14:05:00.000Z',
  notes: [],
  missing: [],
}
