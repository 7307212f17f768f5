import { useEffect, useEffectEvent } from 'react'

/** Runs `act` once `runs` has stayed true for so many milliseconds. */
export function useTimer(runs: boolean, milliseconds: number, act: () => void) {
  const fire = useEffectEvent(act)
  useEffect(() => {
    if (!runs) return
    const timer = setTimeout(fire, milliseconds)
    return () => clearTimeout(timer)
  }, [runs, milliseconds])
}
