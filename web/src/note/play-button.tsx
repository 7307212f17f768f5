import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { useListener } from '../ui/action/use-listener.ts'
import { toastError } from '../ui/feedback/toast.ts'
import { Icon } from '../ui/icon.tsx'
import { transcriptQuery } from './queries.ts'

/** The sound of the page: another one ends it. */
let heard: HTMLAudioElement | null = null

/**
 * Plays notes, one at a time, until its component is gone; `onEnded`: one was heard to its end. The address of an audio is
 * asked for with the first press. All go through one element: a phone plays on by itself only where a press has begun it.
 */
export function useSound(onEnded?: (id: string) => void) {
  const [audio] = useState(() => Object.assign(new Audio(), { preload: 'none' }))
  const [playing, setPlaying] = useState<string | null>(null)
  const wanted = useRef('')
  const queries = useQueryClient()
  const playNote = useMutation({
    mutationFn: async (id: string) => {
      wanted.current = id
      // Also after its address has expired, in 10 minutes.
      const { audioUrl } = await queries.fetchQuery({ ...transcriptQuery(id), staleTime: 5 * 60_000 })
      // Another one was pressed meanwhile.
      if (wanted.current !== id) return
      if (!audioUrl) throw new Error(i18n.t('The audio is no longer stored.'))
      if (!audio.src.endsWith(audioUrl)) {
        setPlaying(null)
        audio.src = audioUrl
      }
      if (heard !== audio) heard?.pause()
      heard = audio
      await audio.play()
      setPlaying(id)
    },
    onError(error) {
      // The row is gone by now.
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
      if (heard === audio) audio.pause()
    },
    [audio],
  )
  return {
    /** Id of the note that is heard. */
    playing,
    /** Id of the note that was asked for last; `isAwaited` until its address is here. */
    latest: playNote.variables,
    isAwaited: playNote.isPending,
    play: playNote.mutate,
    pause: () => audio.pause(),
  }
}
export type Sound = ReturnType<typeof useSound>

/** Plays a note where it is listed. */
export function PlayButton({ id, title, sound }: { id: string; title: string; sound: Sound }) {
  const isPlaying = sound.playing === id
  return (
    <button
      type="button"
      aria-label={isPlaying ? i18n.t('Pause {title}', { title }) : i18n.t('Play {title}', { title })}
      aria-busy={(sound.isAwaited && sound.latest === id) || undefined}
      onClick={() => (isPlaying ? sound.pause() : sound.play(id))}
      // Above the room for an ellipsis beside it.
      className="relative grid h-11 w-10 shrink-0 place-items-center rounded-full text-accent hover:bg-wash"
    >
      <span className="grid size-8 place-items-center rounded-full bg-wash">
        <Icon of={isPlaying ? 'M8 5v14M16 5v14' : 'M8 5.500v13l10-6.500z'} className="size-4" width={2.4} />
      </span>
    </button>
  )
}
