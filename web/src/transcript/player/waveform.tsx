import { i18n } from '../../language/i18n.ts'
import { spokenTime } from '../../ui/figures.ts'
import { type Player, usePlayerState } from './player.ts'

const HEIGHT = 40

interface WaveformProps {
  player: Player
  levels: number[]
  /** Seconds of a note in progress that have been transcribed; undefined: all. */
  heard: number | undefined
}

/** Draws how loud the note is, from the levels that the server measured; it is also the time slider. */
export function Waveform({ player, levels, heard }: WaveformProps) {
  const time = usePlayerState(player, ({ currentTime }) => Math.round(currentTime * 10) / 10, 0)
  const drawn = levels.length ? levels : [0.08]
  const part = player.seconds > 0 ? time / player.seconds : 0
  const shape = drawn
    .map((level, index) => {
      const half = Math.max(1, Math.min(1, level) * (HEIGHT / 2 - 1))
      return `M${index + 0.5} ${HEIGHT / 2 - half}v${half * 2}`
    })
    .join('')
  return (
    <div className="relative h-10 min-w-0 flex-1">
      <input
        type="range"
        aria-label={i18n.t('Position')}
        aria-valuetext={i18n.t('{time} of {whole}', {
          time: spokenTime(time),
          whole: spokenTime(player.seconds),
        })}
        min={0}
        max={player.seconds}
        step={0.1}
        value={Math.min(time, player.seconds)}
        onChange={event => player.seek(Number(event.target.value))}
        className="peer absolute inset-0 z-10 size-full cursor-pointer opacity-0"
      />
      <svg
        viewBox={`0 0 ${drawn.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        className="size-full rounded-control peer-focus-visible:outline-2 peer-focus-visible:outline-accent"
      >
        <clipPath id="transcribed">
          <rect
            width={Math.min(1, (heard ?? player.seconds) / player.seconds) * drawn.length}
            height={HEIGHT}
          />
        </clipPath>
        <clipPath id="played">
          <rect width={part * drawn.length} height={HEIGHT} />
        </clipPath>
        {heard !== undefined && <path d={shape} className="stroke-line" strokeWidth="0.7" />}
        <path d={shape} className="stroke-edge/60" strokeWidth="0.7" clipPath="url(#transcribed)" />
        <path d={shape} className="stroke-accent" strokeWidth="0.7" clipPath="url(#played)" />
      </svg>
    </div>
  )
}
