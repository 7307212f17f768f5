import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Transcription } from '@voxscribe/contracts/http'
import { PAGE_SIZE_MAX, SPEAKER_NAME_MAX } from '@voxscribe/contracts/limits'
import { speakerNames } from '@voxscribe/contracts/wording'
import { useId, useState } from 'react'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { Button } from '../../ui/action/button.tsx'
import { useLostFocus } from '../../ui/action/use-lost-focus.ts'
import { classes } from '../../ui/classes.ts'
import { InlineInput } from '../../ui/form/field.tsx'

const COLOURS = ['text-accent', 'text-good', 'text-warn', 'text-bad', 'text-soft', 'text-ink']

/** Returns the class of a person's color; six can be distinguished. `place`: index among the people, from 0. */
export const colourOf = (place: number) => COLOURS[place % COLOURS.length]

export type Speakers = Transcription['speakers']

export const Name = ({ speakers, speaker }: { speakers: Speakers; speaker: string }) => (
  <bdi className={classes('font-semibold', colourOf(Number(speaker) - 1))}>
    {speakerNames(i18n, speakers)(speaker)}
  </bdi>
)

interface SpeakerNameProps {
  speakers: Speakers
  speaker: string
  /** Names the speaker in all lines; an empty name removes it. */
  onName(speaker: string, name: string): void
  /** Gives this line to another speaker; undefined where lines are joined. */
  onGive: ((speaker: string) => void) | undefined
}

/** The speakers' names in the newest notes. */
const namesQuery = queryOptions({
  queryKey: ['transcriptions', 'names'],
  queryFn: async ({ signal }) => {
    const { transcriptions } = (await call('transcriptions', { query: { limit: PAGE_SIZE_MAX }, signal }))
      .data
    const own = transcriptions.filter(({ sample }) => !sample)
    return [...new Set(own.flatMap(({ speakers = [] }) => speakers.flatMap(({ name }) => name ?? [])))].sort()
  },
})

/** The name before a line. A click opens a field for it, and the speakers to whom the line can be given. */
export function SpeakerName({ speakers, speaker, onName, onGive }: SpeakerNameProps) {
  const [isOpen, setOpen] = useState(false)
  const list = useId()
  const button = useLostFocus<HTMLButtonElement>(isOpen)
  const { data: used = [] } = useQuery({ ...namesQuery, enabled: isOpen })
  if (!isOpen)
    return (
      <button
        ref={button}
        type="button"
        className="wrap-anywhere me-2 min-h-7 rounded-control text-start text-sm hover:underline"
        onClick={() => setOpen(true)}
      >
        <Name {...{ speakers, speaker }} />
      </button>
    )
  const own = speakers.find(({ id }) => id === speaker)?.name ?? ''
  const save = (typed: string) => {
    setOpen(false)
    const name = typed.replace(/\s+/g, ' ').trim()
    if (name !== own) onName(speaker, name)
  }
  const others = onGive ? speakers.filter(({ id }) => id !== speaker) : []
  return (
    <span className="me-2 inline-flex flex-wrap items-center gap-1 text-sm">
      <InlineInput
        aria-label={i18n.t('Name of this voice')}
        placeholder={speakerNames(i18n)(speaker)}
        defaultValue={own}
        maxLength={SPEAKER_NAME_MAX}
        list={list}
        onDone={save}
        // A negative offset, because the browser clips what extends beyond the line.
        className="-outline-offset-2 min-h-press rounded-control border border-edge bg-surface px-2"
      />
      <datalist id={list}>
        {used.map(name => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {others.map(({ id }) => (
        <Button
          key={id}
          size="small"
          variant="quiet"
          // Safari doesn't focus a pressed button: the field would close before the click.
          onPointerDown={event => event.currentTarget.focus()}
          onClick={() => {
            setOpen(false)
            onGive?.(id)
          }}
        >
          {i18n.t('This line is by {name}', { name: speakerNames(i18n, speakers)(id) })}
        </Button>
      ))}
    </span>
  )
}
