const MARK = /```|[*_~`]|\n/g
const JOINER = '\u200D'
const isWord = (character = '') => /[\p{L}\p{N}]/u.test(character)
const isGap = (character = ' ') => /\s/.test(character)

/**
 * Keeps people's words from being WhatsApp markup: adds a joiner where marks pair in a line (backticks: across lines).
 */
export function shielded(text: string): string {
  const open = new Map<string, number[]>()
  const joiners: number[] = []
  for (const { 0: mark, index } of text.matchAll(MARK)) {
    if (mark === '\n') {
      for (const each of open.keys()) if (each !== '```') open.delete(each)
      continue
    }
    const [before, end] = [text[index - 1], index + mark.length]
    const begun = open.get(mark) ?? []
    const mayClose = !isGap(before) && !isWord(text[end]) && (begun.at(-1) ?? index) < index
    if (mayClose) {
      for (const at of [begun, [index]].flat()) joiners.push(at)
      open.delete(mark)
    } else if (!isWord(before) && !isGap(text[end])) {
      begun.push(end)
      open.set(mark, begun)
    }
  }
  let shield = ''
  let from = 0
  for (const at of joiners.sort((a, b) => a - b)) {
    shield += text.slice(from, at) + JOINER
    from = at
  }
  return shield + text.slice(from)
}
