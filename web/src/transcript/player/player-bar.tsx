import { directionOf } from '@voxscribe/languages'
import { i18n } from '../../language/i18n.ts'
import { clockTime, spokenTime } from '../../language/times.ts'
import { Button } from '../../ui/action/button.tsx'
import { useKeys } from '../../ui/action/use-keys.ts'
import { classes } from '../../ui/classes.ts'
import { JUMP_SECONDS, type Player, RATES, usePlayerState } from './player.ts'

const KEYS: Record<string, (player: Player) => void> = {
  ' ': player => player.toggle(),
  ArrowLeft: player => player.jump(-JUMP_SECONDS),
  ArrowRight: player => player.jump(JUMP_SECONDS),
  '[': player => player.changeRate(-1),
  ']': player => player.changeRate(1),
}

interface PlayerBarProps {
  player: Player
  levels: number[]
  /** Seconds of a note in progress that have been transcribed; undefined: all. */
  heard: number | undefined
  /** Requests a new address of the audio, because the current one has expired. */
  onStale(): void
}

/** The player: one row on a phone until it is used, when jumps and speed are added. */
export function PlayerBar({ player, levels, heard, onStale }: PlayerBarProps) {
  useKeys((key, target) => {
    const action = KEYS[key]
    const isPress = key === ' ' && target.closest('button, a, summary, input[type=checkbox]')
    return action && !isPress ? () => action(player) : undefined
  })
  const playing = usePlayerState(player, ({ paused }) => !paused, false)
  const second = usePlayerState(player, ({ currentTime }) => Math.floor(currentTime), 0)
  const rate = usePlayerState(player, ({ playbackRate }) => playbackRate, 1)
  const failed = usePlayerState(player, ({ error }) => Boolean(error), false)
  const isUsed = playing || second > 0
  return (
    <section id="player" aria-label={i18n.t('Player')} className="min-w-0 lg:flex-1">
      <div dir="ltr" className="flex flex-wrap items-center gap-x-2">
        <Button size="small" onClick={player.toggle} className="min-h-11 min-w-19">
          {playing ? i18n.t('Pause|playing') : i18n.t('Play')}
        </Button>
        <Waveform player={player} levels={levels} heard={heard} />
        <span className="whitespace-nowrap text-sm text-soft tabular-nums">
          {clockTime(second)} / {clockTime(Math.round(player.seconds))}
        </span>
        <div
          className={classes(
            'flex items-center justify-center gap-1 max-sm:w-full',
            !isUsed && 'max-sm:hidden',
          )}
        >
          {player.seconds > 2 * JUMP_SECONDS && (
            <>
              <Jump player={player} by={-JUMP_SECONDS} />
              <Jump player={player} by={JUMP_SECONDS} />
            </>
          )}
          <select
            aria-label={i18n.t('Speed')}
            value={rate}
            onChange={event => {
              player.audio.playbackRate = Number(event.target.value)
            }}
            className="min-h-press rounded-control border border-edge bg-surface px-2"
          >
            {RATES.map(value => (
              <option key={value} value={value}>
                {value.toLocaleString(i18n.locale)}×
              </option>
            ))}
          </select>
        </div>
      </div>
      {failed && (
        <p role="alert" className="mt-2 flex items-center gap-3 font-medium text-bad text-sm">
          {i18n.t('The audio couldn’t be played.')}
          <Button variant="secondary" size="small" onClick={onStale}>
            {i18n.t('Try again')}
          </Button>
        </p>
      )}
    </section>
  )
}

const JUMP_LOOK = { style: 'unit', unit: 'second', unitDisplay: 'short', signDisplay: 'always' } as const

const Jump = ({ player, by }: { player: Player; by: number }) => (
  <Button size="small" variant="quiet" className="min-h-11 whitespace-nowrap" onClick={() => player.jump(by)}>
    {/* The player runs left to right, but its words follow their language. */}
    <span aria-hidden="true" dir={directionOf(i18n)}>
      {by.toLocaleString(i18n.locale, JUMP_LOOK)}
    </span>
    <span className="sr-only">
      {by < 0
        ? i18n.t('Back {time}', { time: spokenTime(-by) })
        : i18n.t('Forward {time}', { time: spokenTime(by) })}
    </span>
  </Button>
)

const HEIGHT = 40

interface WaveformProps {
  player: Player
  levels: number[]
  /** Seconds of a note in progress that have been transcribed; undefined: all. */
  heard: number | undefined
}

/** Draws the note's loudness from the levels that the server measured; it is also the time slider. */
function Waveform({ player, levels, heard }: WaveformProps) {
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
        <path
          d={shape}
          className="stroke-edge/60 forced-colors:stroke-[GrayText]"
          strokeWidth="0.7"
          clipPath="url(#transcribed)"
        />
        <path
          d={shape}
          className="stroke-accent forced-colors:stroke-[Highlight]"
          strokeWidth="0.7"
          clipPath="url(#played)"
        />
      </svg>
    </div>
  )
}
