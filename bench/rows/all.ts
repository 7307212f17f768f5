import type { Row } from '../row.ts'
import { busRow } from './bus.ts'
import { historyRows } from './history.ts'
import { manyNotesRows } from './many-notes.ts'
import { noteRows } from './notes.ts'
import { processRows } from './process.ts'
import { webhookRows } from './webhooks.ts'

export const allRows: Row[] = [
  ...noteRows,
  ...webhookRows,
  ...historyRows,
  ...processRows,
  busRow,
  ...manyNotesRows,
]
