import { i18nFor } from '@voxscribe/languages/node'
import { CORES } from '@voxscribe/speech'
import { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { createExporting } from './export.ts'

const LONG = 'We will meet at noon. '.repeat(1_000)

test('when several people export long notes at once, then only as many are read as have a place', async () => {
  let [inMemory, most] = [0, 0]
  const note = {
    ...NoteRecord.partial().parse({ fileName: 'a.ogg', createdAt: new Date(), language: 'en', text: LONG }),
    status: 'completed',
  }
  const find = async (_id: string, _userId: string, shown: object) => {
    if (!('parts' in shown)) return note
    inMemory += 1
    most = Math.max(most, inMemory)
    return note
  }
  const { signal } = new AbortController()
  const beginExport = async () => ({ signal, release: async () => {} })
  const exportNote = createExporting({ find } as unknown as Notes, beginExport, 'https://vox.example')
  const one = async (id: number) => {
    const { content } = await exportNote(`${id}`, `${id}`, { format: 'txt', i18n: i18nFor('en') })
    inMemory -= 1
    return `${content}`
  }
  const files = await Promise.all(Array.from({ length: 2 * CORES + 1 }, (_, id) => one(id)))
  for (const file of files) expect(file).toContain('We will meet at noon.')
  // The next one begins before the caller gets the last one's file.
  expect(most).toBeLessThanOrEqual(CORES + 1)
})
