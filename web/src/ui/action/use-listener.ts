import { useEffect, useEffectEvent } from 'react'

type Events = WindowEventMap & DocumentEventMap

/** Listens to events of the window, the document or an element while `isOn`. The listener sees the latest render. */
export function useListener<Type extends keyof Events>(
  target: Window | Document | HTMLElement,
  types: Type[],
  listener: (event: Events[Type]) => void,
  isOn = true,
) {
  const onEvent = useEffectEvent(listener)
  const names = types.join(' ')
  useEffect(() => {
    if (!isOn) return
    const listening = new AbortController()
    for (const name of names.split(' '))
      target.addEventListener(name, event => onEvent(event as Events[Type]), { signal: listening.signal })
    return () => listening.abort()
  }, [target, names, isOn])
}
