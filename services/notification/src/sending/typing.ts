import type { Source } from '@voxscribe/contracts/events'

/** WhatsApp shows it for 25 s at most. */
export const TYPING_MS = 20_000
/** A note without progress for that long has failed. */
const LONGEST_MS = 1_800_000
/** Notes at once for which it is shown again. */
const NOTES_MAX = 1_000

interface Deps {
  /** Never rejects. */
  show(source: Source): Promise<void>
  /** After how long it is shown again. */
  everyMs(source: Source): number
  /** Whether the note is answered, perhaps by another process. */
  isOver(id: string): Promise<boolean>
}

/** Shows that answers are being typed for as long as notes are worked on. A courtesy: a process that ends forgets it. */
export function createTyping({ show, everyMs, isOver }: Deps) {
  const timers = new Map<string, NodeJS.Timeout>()
  /** By chat with a call under way, the newest message that came meanwhile. */
  const next = new Map<string, Source | undefined>()

  /**
   * One call at a time in a chat: those that come meanwhile become one, for the newest message. WhatsApp marks earlier ones
   * of the chat as read with it (developers.facebook.com, "Mark messages as read"; of a group it does not).
   */
  async function showNewest(source: Source): Promise<void> {
    const chat = [source.channel, source.numberId, source.address].join(' ')
    const isUnderWay = next.has(chat)
    next.set(chat, source)
    if (isUnderWay) return
    for (let newest = next.get(chat); newest; newest = next.get(chat)) {
      next.set(chat, undefined)
      await show(newest)
    }
    next.delete(chat)
  }

  function end(id: string): void {
    clearInterval(timers.get(id))
    timers.delete(id)
  }

  async function again(id: string, source: Source, until: number): Promise<void> {
    if (performance.now() > until || (await isOver(id).catch(() => true))) end(id)
    else if (timers.has(id)) await showNewest(source)
  }

  return {
    async begin(id: string, source: Source): Promise<void> {
      const until = performance.now() + LONGEST_MS
      end(id)
      if (timers.size < NOTES_MAX)
        timers.set(id, setInterval(() => void again(id, source, until), everyMs(source)).unref())
      await showNewest(source)
    },
    end,
    stop: () => [...timers.keys()].forEach(end),
  }
}
export type Typing = ReturnType<typeof createTyping>
