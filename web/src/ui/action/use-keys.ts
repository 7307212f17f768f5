import { useListener } from './use-listener.ts'

/** In these, keys belong to what is typed. */
const TYPING = 'input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]'

/** A letter of another script is the Latin one on its key. */
const latinOf = ({ key, code }: KeyboardEvent) =>
  /^[^\0-\x7f]$/.test(key) ? code.replace('Key', '').toLowerCase() : key

/** Acts on keys: `actionOf` returns what one does, if anything. With Ctrl, or ⌘, it begins with `Ctrl+`. */
export function useKeys(
  actionOf: (key: string, target: Element) => (() => void) | undefined | false,
  { whileTyping = false } = {},
) {
  useListener(document, ['keydown'], event => {
    const target = event.target as Element
    if (event.altKey) return
    if ((!whileTyping && target.closest(TYPING)) || document.querySelector('dialog[open]')) return
    const key = latinOf(event)
    const action = actionOf(event.ctrlKey || event.metaKey ? `Ctrl+${key}` : key, target)
    if (!action) return
    event.preventDefault()
    action()
  })
}
