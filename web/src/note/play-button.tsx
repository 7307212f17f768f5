import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { toastError } from '../ui/feedback/toast-error.ts'
import { Icon } from '../ui/icon.tsx'
import { transcriptQuery } from './use-transcript.ts'

/** The sound of the page: another one ends it. */
let heard: HTMLAudioElement | null = null

/** Plays a note where it is listed. The address of its audio is asked for with the first press. */
export function PlayButton({ id, title }: { id: string; title: string }) {
  const [playing, setPlaying] = useState(false)
  const audio = useRef<HTMLAudioElement>(null)
  const queries = useQueryClient()
  const play = useMutation({
    mutationFn: async (element: HTMLAudioElement) => {
      // Also after its address has expired, in 10 minutes.
      const { audioUrl } = await queries.fetchQuery({ ...transcriptQuery(id), staleTime: 5 * 60_000 })
      if (!audioUrl) throw new Error(i18n.t('The audio is no longer stored.'))
      if (!element.src.endsWith(audioUrl)) element.src = audioUrl
      heard?.pause()
      heard = element
      await element.play()
    },
    onError(error) {
      // The row is gone by now.
      if (error.name === 'AbortError') return
      toastError(error, i18n.t('The audio couldn’t be played'))
    },
  })
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript is beside it */}
      <audio
        ref={audio}
        preload="none"
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setPlaying(false)}
      />
      <button
        type="button"
        aria-label={playing ? i18n.t('Pause {title}', { title }) : i18n.t('Play {title}', { title })}
        aria-busy={play.isPending || undefined}
        onClick={() => (playing ? audio.current?.pause() : play.mutate(audio.current!))}
        // Above the room for an ellipsis beside it.
        className="relative grid h-11 w-10 shrink-0 place-items-center rounded-full text-accent hover:bg-wash"
      >
        <span className="grid size-8 place-items-center rounded-full bg-wash">
          <Icon of={playing ? 'M8 5v14M16 5v14' : 'M8 5.500v13l10-6.500z'} className="size-4" width={2.4} />
        </span>
      </button>
    </>
  )
}
