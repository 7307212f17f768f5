import { useListener } from './use-listener.ts'

/** Elements in which keys are typed text. */
const TYPING = 'input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]'

/** Returns the key, or the Latin letter on a key that types another script. */
const latinOf = ({ key, code }: KeyboardEvent) =>
  /^[^\0-\x7f]$/.test(key) ? code.replace('Key', '').toLowerCase() : key

/** Runs actions on keys: `actionOf` returns the action of a key, if any. With Ctrl or ⌘ the key begins with `Ctrl+`. */
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
