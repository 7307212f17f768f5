import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'

export const RATES = [0.75, 1, 1.25, 1.5, 2]
export const JUMP_SECONDS = 10

/** Events that change what the player shows. */
const EVENTS = ['play', 'pause', 'ended', 'seeked', 'timeupdate', 'ratechange', 'error']

/** Plays one audio file; `usePlayerState` reads its state from the audio element. */
function createPlayer(audio: HTMLAudioElement, seconds: number) {
  const seek = (to: number) => {
    audio.currentTime = Math.min(Math.max(0, to), seconds)
    audio.dispatchEvent(new Event('timeupdate'))
  }
  const play = () => void audio.play().catch(() => audio.dispatchEvent(new Event('error')))
  return {
    audio,
    seconds,
    seek,
    jump: (by: number) => seek(audio.currentTime + by),
    playFrom: (at: number) => {
      seek(at)
      play()
    },
    toggle: () => (audio.paused ? play() : audio.pause()),
    /** Goes to the next slower (-1) or faster (1) speed. */
    changeRate: (step: -1 | 1) => {
      const at = RATES.findIndex(rate => rate >= audio.playbackRate)
      audio.playbackRate = RATES[Math.min(Math.max(0, at + step), RATES.length - 1)] ?? 1
    },
  }
}
export type Player = ReturnType<typeof createPlayer>

/** Returns the player of a note; null without audio. The address changes, as each is valid for ten minutes. */
export function usePlayer(audioUrl: string | null, seconds: number): Player | null {
  const [audio] = useState(() => Object.assign(new Audio(), { preload: 'metadata' }))
  const hasAudio = Boolean(audioUrl)
  const player = useMemo(() => (hasAudio ? createPlayer(audio, seconds) : null), [audio, hasAudio, seconds])
  useEffect(() => {
    // A new address is used only after the old one has expired, because changing it interrupts playback.
    if (!player || !audioUrl || (audio.src && !audio.error)) return
    const [at, wasPlaying] = [audio.currentTime, !audio.paused]
    audio.src = audioUrl
    audio.currentTime = at
    if (wasPlaying) player.playFrom(at)
  }, [player, audio, audioUrl])
  useEffect(() => {
    if (!hasAudio) return
    return () => {
      audio.pause()
      audio.removeAttribute('src')
    }
  }, [audio, hasAudio])
  return player
}

/** Reads a value from the player and re-renders when it changes; other components don't re-render while it plays. */
export function usePlayerState<T extends string | number | boolean>(
  player: Player | null,
  read: (audio: HTMLAudioElement) => T,
  otherwise: T,
): T {
  const audio = player?.audio
  const subscribe = useCallback(
    (changed: () => void) => {
      let frame = 0
      /** Reads on every frame: `timeupdate` fires four times a second, which is too rarely to follow words. */
      const follow = () => {
        cancelAnimationFrame(frame)
        changed()
        if (audio && !audio.paused) frame = requestAnimationFrame(follow)
      }
      for (const event of EVENTS) audio?.addEventListener(event, follow)
      return () => {
        cancelAnimationFrame(frame)
        for (const event of EVENTS) audio?.removeEventListener(event, follow)
      }
    },
    [audio],
  )
  return useSyncExternalStore(subscribe, () => (audio ? read(audio) : otherwise))
}
