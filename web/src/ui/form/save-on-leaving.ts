import { type RefObject, useEffectEvent, useLayoutEffect } from 'react'
import { useListener } from '../action/use-listener.ts'

/**
 * Saves the text of a field that goes with its page (Back, the end of a session, a reload), which happens without a blur
 * event. `save` returns whether there was anything to save; if so, the browser asks before a reload.
 */
export function useSaveOnLeaving(
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  save: (typed: string) => boolean,
) {
  const saveTyped = useEffectEvent(() => field.current !== null && save(field.current.value))
  useLayoutEffect(() => () => void saveTyped(), [])
  useListener(window, ['beforeunload'], event => {
    if (saveTyped()) event.preventDefault()
  })
}
