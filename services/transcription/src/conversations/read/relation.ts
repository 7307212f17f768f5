/** Lines of the earlier text to try: without a limit, a chat of equal lines would be compared with itself for hours. */
const TRIES_MAX = 1_000

/** Removes the brackets after the last message of a `result.json`. */
const withoutEnd = (text: string): string => text.trimEnd().replace(/(?<![\s\]}])[\s\]}]+$/, '')

/**
 * Joins the texts of two exports of one chat; undefined for two chats. The later one begins with the earlier or, if the
 * messenger cut off its beginning, continues from a line within it. A shorter export removes nothing.
 */
export function joinedText(
  source: 'whatsapp' | 'telegram',
  earlier: string,
  later: string,
): string | undefined {
  const [old, added] =
    source === 'telegram' ? [withoutEnd(earlier), withoutEnd(later)] : [earlier.trimEnd(), later.trimEnd()]
  if (!old || !added) return undefined
  if (old.startsWith(added)) return earlier
  if (added.startsWith(old)) return later
  if (source === 'telegram') return undefined
  const end = added.indexOf('\n')
  const line = end < 0 ? added : added.slice(0, end)
  let from = old.indexOf(`\n${line}`)
  for (let tries = 0; from >= 0 && tries < TRIES_MAX; tries++) {
    const known = old.length - from - 1
    const isPart =
      known <= added.length ? added.startsWith(old.slice(from + 1)) : old.startsWith(added, from + 1)
    if (isPart) return known < added.length ? `${earlier.slice(0, from + 1)}${later}` : earlier
    from = old.indexOf(`\n${line}`, from + 1)
  }
  return undefined
}
