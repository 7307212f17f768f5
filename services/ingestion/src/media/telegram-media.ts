import { createReadStream } from 'node:fs'
import { isAbsolute } from 'node:path'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import { TelegramRefused } from '@voxscribe/service/telegram'
import type { FetchMedia } from '../deps.ts'
import { type DownloadLimits, download, keep, noLongerThere, TokenRefused, tooLarge } from './file.ts'

/** Telegram's error for files over 20 MB, which bots can't download. */
const TOO_BIG = /file is too big/i

/** Fetches media by file id; the path that Telegram returns for it is valid for an hour. */
export const fetchFromTelegram: FetchMedia = async ({ settings, telegram }, file_id, path, limits) => {
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
 * Copies a file stored by our own Bot API server: started with `--local`, it returns absolute paths and serves no files
 * (tdlib/telegram-bot-api#26). Undefined if the path is Telegram's or on another machine.
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
  // Telegram doesn't report the size. A wrong id causes the same error as a file that is unavailable for the moment.
  if (code === 400 && TOO_BIG.test(message)) throw tooLarge(0)
  throw error
}
