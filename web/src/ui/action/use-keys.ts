import { useListener } from './use-listener.ts'

/** In these, keys belong to what is typed. */
const TYPING = 'input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]'

/** Acts on keys pressed without Ctrl, Alt or Meta: `actionOf` returns what a key does, if anything. */
export function useKeys(actionOf: (key: string, target: Element) => (() => void) | undefined | false) {
  useListener(document, ['keydown'], event => {
    const target = event.target as Element
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (target.closest(TYPING) || document.querySelector('dialog[open]')) return
    const action = actionOf(event.key, target)
    if (!action) return
    event.preventDefault()
    action()
  })
}
