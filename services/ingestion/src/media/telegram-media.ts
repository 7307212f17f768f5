import { createReadStream } from 'node:fs'
import { isAbsolute } from 'node:path'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import { TelegramRefused } from '@voxscribe/service/telegram'
import type { Deps } from '../deps.ts'
import {
  type DownloadLimits,
  download,
  type Kept,
  keep,
  noLongerThere,
  TokenRefused,
  tooLarge,
} from './file.ts'

/** Telegram hands bots no file over 20 MB, and says so in these words. */
const TOO_BIG = /file is too big/i

/** Fetches media by their file id; the path that Telegram names for it lives for an hour. */
export async function fetchFromTelegram(
  { settings, telegram }: Pick<Deps, 'settings' | 'telegram'>,
  file_id: string,
  path: string,
  limits: DownloadLimits,
): Promise<Kept> {
  const file = await telegram.ask(api => api.getFile({ file_id })).catch(asOurs)
  const declared = file.file_size ?? 0
  if (declared > MAX_FILE_BYTES) throw tooLarge(declared)
  if (!file.file_path) throw noLongerThere()
  const here = await keepFromHere(file.file_path, path, limits)
  if (here) return here
  const url = telegram.fileUrl(file.file_path)
  const provider = settings.TELEGRAM_API_URL
  return download({ url, provider, path, headersFor: () => ({}), unauthorized: REFUSED, limits })
}

/**
 * Copies a file that a Bot API server of our own has stored: started with `--local` it names absolute paths, and serves
 * no files (tdlib/telegram-bot-api#26). Undefined where the path is Telegram's, or of another machine.
 */
async function keepFromHere(source: string, path: string, { maxBytes, signal }: DownloadLimits) {
  if (!isAbsolute(source)) return undefined
  return keep(createReadStream(source), path, { maxBytes, signal }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}

const REFUSED = 'Telegram refused our token'

function asOurs(error: unknown): never {
  if (!(error instanceof TelegramRefused)) throw error
  const { code, message } = error
  if (code === 401 || code === 404) throw new TokenRefused(REFUSED)
  // Telegram does not say how large. For a wrong id it says the same as for a file that it cannot give at the moment.
  if (code === 400 && TOO_BIG.test(message)) throw tooLarge(0)
  throw error
}
