import { directionOf } from '@voxscribe/languages'
import { clockTime } from '../../language/clock-time.ts'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../../ui/action/button.tsx'
import { useKeys } from '../../ui/action/use-keys.ts'
import { classes } from '../../ui/classes.ts'
import { spokenTime } from '../../ui/figures.ts'
import { JUMP_SECONDS, type Player, RATES, usePlayerState } from './player.ts'
import { Waveform } from './waveform.tsx'

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
  /** Asks for a new address of the audio: the one in use has expired. */
  onStale(): void
}

/** One row on a phone until it is used; then jumps and speed join it. */
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
    {/* The player runs from left to right, its words as their language does. */}
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
