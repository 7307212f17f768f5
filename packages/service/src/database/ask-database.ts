import type { BaseSettings } from '../settings/common-settings.ts'
import { connect } from './documents.ts'

const SELECTION_MS = 5_000

/** Opens a service’s database for a single query. Throws after 5 s without an answer. */
export async function askDatabase<T>(
  { MONGO_URL, MONGO_DB_PREFIX }: Pick<BaseSettings, 'MONGO_URL' | 'MONGO_DB_PREFIX'>,
  service: string,
  ask: (connection: Awaited<ReturnType<typeof connect>>) => Promise<T>,
): Promise<T> {
  // The driver would wait as long as the check may take.
  const connection = await connect(MONGO_URL, `${MONGO_DB_PREFIX}_${service}`, SELECTION_MS)
  try {
    return await ask(connection)
  } finally {
    await connection.close()
  }
}
