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

/** Whether a key belongs to an input method. Safari sends the Enter that ends a composition after its end, as 229. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229
