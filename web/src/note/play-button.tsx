import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { useListener } from '../ui/action/use-listener.ts'
import { toastError } from '../ui/feedback/toast.ts'
import { Icon } from '../ui/icon.tsx'
import { transcriptQuery } from './queries.ts'

/** The page's current audio; starting another one pauses it. */
let currentAudio: HTMLAudioElement | null = null

/**
 * Plays notes one at a time until its component unmounts. `onEnded` is called when a note was played to its end. The
 * audio's address is fetched on the first press. All notes share one element, because a phone lets only an element that
 * a press has started play on by itself.
 */
export function useSound(onEnded?: (id: string) => void) {
  const [audio] = useState(() => Object.assign(new Audio(), { preload: 'none' }))
  const [playing, setPlaying] = useState<string | null>(null)
  const wanted = useRef('')
  const queries = useQueryClient()
  const playNote = useMutation({
    mutationFn: async (id: string) => {
      wanted.current = id
      // The address expires after 10 minutes, so it's fetched again after 5.
      const { audioUrl } = await queries.fetchQuery({ ...transcriptQuery(id), staleTime: 5 * 60_000 })
      // Another note was pressed in the meantime.
      if (wanted.current !== id) return
      if (!audioUrl) throw new Error(i18n.t('The audio is no longer stored.'))
      if (!audio.src.endsWith(audioUrl)) {
        setPlaying(null)
        audio.src = audioUrl
      }
      if (currentAudio !== audio) currentAudio?.pause()
      currentAudio = audio
      await audio.play()
      setPlaying(id)
    },
    onError(error) {
      // The row is gone.
      if (error.name === 'AbortError') return
      toastError(error, i18n.t('The audio couldn’t be played'))
    },
  })
  useListener(audio, ['pause'], () => setPlaying(null))
  useListener(audio, ['ended'], () => {
    setPlaying(null)
    onEnded?.(wanted.current)
  })
  useEffect(
    () => () => {
      wanted.current = ''
      if (currentAudio === audio) audio.pause()
    },
    [audio],
  )
  return {
    /** Id of the note that is playing. */
    playing,
    /** Id of the note that was requested last; `isAwaited` until its address is known. */
    latest: playNote.variables,
    isAwaited: playNote.isPending,
    play: playNote.mutate,
    pause: () => audio.pause(),
  }
}
export type Sound = ReturnType<typeof useSound>

export function PlayButton({ id, title, sound }: { id: string; title: string; sound: Sound }) {
  const isPlaying = sound.playing === id
  return (
    <button
      type="button"
      aria-label={isPlaying ? i18n.t('Pause {title}', { title }) : i18n.t('Play {title}', { title })}
      aria-busy={(sound.isAwaited && sound.latest === id) || undefined}
      onClick={() => (isPlaying ? sound.pause() : sound.play(id))}
      // The button is above the space reserved for an ellipsis next to it.
      className="relative grid h-11 w-10 shrink-0 place-items-center rounded-full text-accent hover:bg-wash"
    >
      <span className="grid size-8 place-items-center rounded-full bg-wash">
        <Icon of={isPlaying ? 'M8 5v14M16 5v14' : 'M8 5.500v13l10-6.500z'} className="size-4" width={2.4} />
      </span>
    </button>
  )
}
