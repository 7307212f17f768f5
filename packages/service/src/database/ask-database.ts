import type { BaseSettings } from '../settings/common-settings.ts'
import { openDocuments } from './documents.ts'

const SELECTION_MS = 5_000

/** Opens a service’s database for a single query. Throws after 5 s without an answer. */
export async function askDatabase<T>(
  { MONGO_URL, MONGO_DB_PREFIX }: Pick<BaseSettings, 'MONGO_URL' | 'MONGO_DB_PREFIX'>,
  service: string,
  ask: (connection: Awaited<ReturnType<typeof openDocuments>>['connection']) => Promise<T>,
): Promise<T> {
  // The driver would wait as long as the check may take. `URL` can't parse an address with several hosts.
  const start = MONGO_URL.includes('?') ? `${MONGO_URL}&` : `${MONGO_URL.replace(/(\w)$/, '$1/')}?`
  const url = `${start}serverSelectionTimeoutMS=${SELECTION_MS}`
  const documents = await openDocuments(url, `${MONGO_DB_PREFIX}_${service}`, () => {})
  try {
    return await ask(documents.connection)
  } finally {
    await documents.close()
  }
}
