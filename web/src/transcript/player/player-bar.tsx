import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { clock } from '../../ui/figures.ts'
import { JUMP_SECONDS, type Player, RATES, usePlayerKeys, usePlayerState } from './player.ts'
import { Waveform } from './waveform.tsx'

interface PlayerBarProps {
  player: Player
  levels: number[]
  /** Asks for a new address of the audio: the one in use has expired. */
  onStale(): void
}

/** Sticks to the bottom on a phone, within reach of the thumb, and to the top elsewhere. */
export function PlayerBar({ player, levels, onStale }: PlayerBarProps) {
  usePlayerKeys(player)
  const playing = usePlayerState(player, ({ paused }) => !paused, false)
  const second = usePlayerState(player, ({ currentTime }) => Math.floor(currentTime), 0)
  const rate = usePlayerState(player, ({ playbackRate }) => playbackRate, 1)
  const failed = usePlayerState(player, ({ error }) => Boolean(error), false)
  return (
    <section
      aria-label="Player"
      className={classes(
        'z-20 border-line bg-surface p-3 shadow-sheet',
        'fixed inset-x-0 bottom-0 border-t sm:sticky sm:top-20 sm:bottom-auto sm:mt-6 sm:rounded-card sm:border sm:p-4',
      )}
    >
      <div className="flex items-center gap-3">
        <Waveform player={player} levels={levels} />
        <span className="whitespace-nowrap text-sm text-soft tabular-nums">
          {clock(second)} / {clock(Math.round(player.seconds))}
        </span>
      </div>
      <div className="mt-1 flex items-center justify-center gap-1 sm:justify-start">
        <Jump player={player} by={-JUMP_SECONDS} />
        <Button onClick={player.toggle} className="min-w-20 xs:min-w-24">
          {playing ? 'Pause' : 'Play'}
        </Button>
        <Jump player={player} by={JUMP_SECONDS} />
        <select
          aria-label="Speed"
          value={rate}
          onChange={event => {
            player.audio.playbackRate = Number(event.target.value)
          }}
          className="min-h-11 rounded-control border border-edge bg-surface px-2"
        >
          {RATES.map(value => (
            <option key={value} value={value}>
              {value}×
            </option>
          ))}
        </select>
        <span className="ml-auto text-soft text-sm max-lg:hidden">
          Keys: space plays, ← → jump, [ ] change the speed
        </span>
      </div>
      {failed && (
        <p role="alert" className="mt-2 flex items-center gap-3 font-medium text-bad text-sm">
          The audio couldn’t be played.
          <Button variant="secondary" size="small" onClick={onStale}>
            Try again
          </Button>
        </p>
      )}
    </section>
  )
}

const Jump = ({ player, by }: { player: Player; by: number }) => (
  <Button variant="quiet" className="whitespace-nowrap max-xs:px-2" onClick={() => player.jump(by)}>
    <span aria-hidden="true">{`${by < 0 ? '−' : '+'}${JUMP_SECONDS} s`}</span>
    <span className="sr-only">{`${by < 0 ? 'Back' : 'Forward'} ${JUMP_SECONDS} seconds`}</span>
  </Button>
)
