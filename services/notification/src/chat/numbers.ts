import { type Logger, numberIdsOf } from '@voxscribe/service'
import { z } from 'zod'
import type { NotificationSettings } from '../settings.ts'
import { openGraph } from './whatsapp.ts'

/** How long the choice is cached; after a failure, the default. */
const KEPT_MS = 10_000
const Shown = z.object({ display_phone_number: z.string() })

/** Returns the number (digits) for new people: the one with the fewest people, or `WHATSAPP_NUMBER` by default. */
export function createNumberOnOffer(
  settings: NotificationSettings,
  people: { countAt(numberId: string): Promise<number> },
  log: Logger,
) {
  const numberIds = numberIdsOf(settings)
  const graph = openGraph(settings, settings.CHAT_TIMEOUT)
  const shown = new Map<string, string>()
  let found: Promise<string> | undefined

  async function shownOf(id: string): Promise<string> {
    const { data } = await graph.get(`/${id}`, { params: { fields: 'display_phone_number' } })
    return Shown.parse(data).display_phone_number.replace(/\D/g, '')
  }

  async function emptiest(): Promise<string> {
    const counts = await Promise.all(numberIds.map(people.countAt))
    const id = numberIds[counts.indexOf(Math.min(...counts))]!
    const digits = shown.get(id) ?? (await shownOf(id))
    shown.set(id, digits)
    return digits
  }

  return async (): Promise<string> => {
    if (numberIds.length === 1) return settings.WHATSAPP_NUMBER
    if (!found) {
      found = emptiest().catch(err => {
        log.error({ err }, 'cannot choose the number for new people')
        return settings.WHATSAPP_NUMBER
      })
      setTimeout(() => {
        found = undefined
      }, KEPT_MS).unref()
    }
    return found
  }
}
