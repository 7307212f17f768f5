import type { Row } from '../row.ts'
import { HISTORY_ROW } from './history.ts'
import { MANY_NOTES_ROWS } from './many-notes.ts'
import { NOTE_ROWS } from './notes.ts'
import { PROCESS_ROWS } from './process.ts'
import { WEBHOOK_ROWS } from './webhooks.ts'

/** The rows of `docs/performance.md`, one per topic. */
export const ALL_ROWS: Row[] = [
  ...NOTE_ROWS,
  ...WEBHOOK_ROWS,
  HISTORY_ROW,
  ...PROCESS_ROWS,
  ...MANY_NOTES_ROWS,
]
