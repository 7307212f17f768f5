import { api } from '@voxscribe/contracts/http'
import { TRIES_PER_ADDRESS, TRIES_PER_BROWSER, TRY_SECONDS } from '@voxscribe/contracts/limits'
import {
  createBodySlots,
  hashOf,
  implement,
  leftSignal,
  limitReached,
  networkOf,
  newSecret,
  Problem,
  type RateLimits,
  type Route,
  refusal,
} from '@voxscribe/service'
import { type Engine, type Engines, firstThatServes, Unworkable } from '@voxscribe/speech'
import type { Request } from 'express'
import { type Counted, countAll, giveBackAll } from '../note/repeats.ts'
import type { Budget } from '../queue/spending.ts'
import type { TranscriptionSettings } from '../settings.ts'
import type { Previews } from './preview.ts'

const DAY_SECONDS = 86_400
const COOKIE = 'voxscribe_try'
/** Browsers stop recording a little late. */
const MOST_SECONDS = TRY_SECONDS + 1
/** Bodies received at once, of up to 1 MiB each. */
const ARRIVING_MAX = 8
/** How often to check whether a note has come. */
const LOOK_MS = 100

interface Deps {
  previews: Previews
  engines: Pick<Engines, 'current' | 'ladder'>
  budget: Pick<Budget, 'paying'>
  isIdle(): boolean
  rateLimits: RateLimits
  settings: Pick<TranscriptionSettings, 'TRY' | 'PUBLIC_URL'>
}

/** Recognizes notes of visitors without an account, in the same way as previews, and aborts when a note has come. */
export function createTries({ previews, engines, budget, isIdle, rateLimits, settings }: Deps) {
  const ofBrowser = rateLimits('try-browser', { points: TRIES_PER_BROWSER, seconds: DAY_SECONDS }, true)
  const ofAddress = rateLimits('try-address', { points: TRIES_PER_ADDRESS, seconds: DAY_SECONDS }, true)
  const secure = settings.PUBLIC_URL.startsWith('https:') ? '; Secure' : ''
  const takeSlot = createBodySlots({ total: ARRIVING_MAX, perCaller: ARRIVING_MAX })

  async function hear(body: Buffer, request: Request, uiLanguage: string, signal: AbortSignal) {
    const noteCame = new AbortController()
    const watch = setInterval(() => isIdle() || noteCame.abort(), LOOK_MS)
    try {
      const piece = {
        content: await fileIn(body, request),
        language: 'auto',
        likelyLanguage: async (guess: string) => languageOfVisitor(guess, uiLanguage),
        maxSeconds: MOST_SECONDS,
      }
      const eitherSignal = AbortSignal.any([signal, noteCame.signal])
      const serve = (engine: Engine) =>
        previews.recognise({ ...piece, engine: budget.paying(engine) }, eitherSignal)
      const heard = await firstThatServes(engines.ladder(), piece.language, serve)
      const seconds = Math.round(heard.seconds * 10) / 10
      return { text: heard.text, language: heard.spokenLanguage, seconds }
    } catch (error) {
      if (noteCame.signal.aborted) throw previews.busyError()
      const isTooLong = error instanceof Unworkable && error.reason.code === 'too_long_here'
      throw isTooLong ? refusal('too_long_to_try') : error
    } finally {
      clearInterval(watch)
    }
  }

  const route: Route = implement(api.tryNote, async ({ ip, cookies, uiLanguage, request }) => {
    if (!settings.TRY) throw refusal('not_found')
    const browser = browserIn(cookies) ?? newSecret()
    const limits: Counted[] = [
      [ofBrowser, hashOf(browser)],
      [ofAddress, networkOf(ip)],
    ]
    if (!/^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '')) throw refusal('not_a_form')
    // Checked before the limits, so that calls that can't be served cost the database nothing.
    if (!isIdle() || !takeSlot('visitors', request, request.res!)) throw previews.busyError()
    const left = leftSignal(request.res!)
    for (const [limit, key] of limits) await limit.check(key).catch(asUsedUp)
    const data = await previews.hearBody(request, engines.current, async (body, _, signal) => {
      await countAll(limits).catch(asUsedUp)
      return hear(body, request, uiLanguage, signal).catch(async error => {
        // A file that is refused counts for its address only, as measuring it takes time.
        const isRefused = error instanceof Unworkable || (error instanceof Problem && error.status < 500)
        if (!left.aborted) await giveBackAll(isRefused ? limits.slice(0, 1) : limits)
        throw error
      })
    })
    const cookie = `${COOKIE}=${browser}; Path=/api/try; Max-Age=${DAY_SECONDS}; HttpOnly; SameSite=Lax${secure}`
    return { data, headers: { 'set-cookie': cookie } }
  })

  return { route, isOn: () => settings.TRY && engines.current() !== undefined }
}

/** The page's language or English; any if the page is in English, which is shown for all languages that it lacks. */
export const languageOfVisitor = (guess: string, uiLanguage: string): string =>
  guess === 'en' || (guess !== 'auto' && uiLanguage === 'en') ? guess : uiLanguage

function asUsedUp(error: unknown): never {
  const isLimit = error instanceof Problem && error.retryAfterSeconds !== undefined
  throw isLimit ? limitReached(error.limit ?? '', error.retryAfterSeconds!, 'try_used_up') : error
}

/** Returns the random id of the browser. */
const browserIn = (cookies = ''): string | undefined =>
  new RegExp(`(?:^|; *)${COOKIE}=([\\w-]{43})(?:;|$)`).exec(cookies)?.[1]

/** Returns the recording in a form. Throws 415 if there is none. */
async function fileIn(body: Buffer, request: Request): Promise<Buffer> {
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  const form = await new Response(new Uint8Array(body), { headers }).formData().catch(() => undefined)
  const file = form?.get('file')
  if (!(file instanceof Blob)) throw refusal('no_audio_in_it')
  return Buffer.from(await file.arrayBuffer())
}
