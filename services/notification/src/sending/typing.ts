import type { Source } from '@voxscribe/contracts/events'

/** WhatsApp shows typing for at most 25 s. */
export const TYPING_MS = 20_000
/** A note without progress for this long has failed. */
const LONGEST_MS = 1_800_000
/** Notes in parallel for which typing is shown again. */
const NOTES_MAX = 1_000
const PAUSE_MS = 1_000

interface Deps {
  /** Marks a message as read, and shows typing. Never rejects. */
  show(source: Source, isTyping: boolean): Promise<void>
  /** Interval at which typing is shown again. */
  everyMs(source: Source): number
  /** Whether the note has its reply, perhaps from another process. */
  isOver(id: string): Promise<boolean>
}

/** Shows typing while notes are in progress. Just a courtesy: a process that ends doesn't resume it. */
export function createTyping({ show, everyMs, isOver }: Deps) {
  const timers = new Map<string, NodeJS.Timeout>()
  /** Chats with a call in the last second, each with the newest note since. */
  const resting = new Map<string, { id: string; source: Source } | undefined>()

  /** Makes one call a second per chat, for its newest message: WhatsApp then marks earlier ones too (not in groups). */
  function showNewest(id: string, source: Source): void {
    const chat = [source.channel, source.numberId, source.address].join(' ')
    if (resting.has(chat)) return void resting.set(chat, { id, source })
    resting.set(chat, undefined)
    // Typing that is shown after the reply would stay until WhatsApp removes it.
    void show(source, timers.has(id))
    const onRested = () => {
      const newest = resting.get(chat)
      resting.delete(chat)
      if (newest) showNewest(newest.id, newest.source)
    }
    setTimeout(onRested, PAUSE_MS).unref()
  }

  function end(id: string): void {
    clearInterval(timers.get(id))
    timers.delete(id)
  }

  async function again(id: string, source: Source, until: number): Promise<void> {
    if (performance.now() > until || (await isOver(id).catch(() => true))) end(id)
    else if (timers.has(id)) showNewest(id, source)
  }

  return {
    begin(id: string, source: Source): void {
      const until = performance.now() + LONGEST_MS
      end(id)
      if (timers.size < NOTES_MAX)
        timers.set(id, setInterval(() => void again(id, source, until), everyMs(source)).unref())
      showNewest(id, source)
    },
    end,
    stop: () => [...timers.keys()].forEach(end),
  }
}
