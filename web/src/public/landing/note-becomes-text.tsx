import { UI_LANGUAGE_NAMES } from '@voxscribe/languages'
import type { CSSProperties } from 'react'
import { currentLanguage, i18n } from '../../language/i18n.ts'
import { clockTime } from '../../language/times.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Wave } from './wave.tsx'

/** Length in seconds of the note in the picture. */
const SECONDS = 14
/** Seconds that the wave plays; the words appear along with it. */
const PLAYED_IN = 2.6

/** The product in one picture: a voice note and the text made from it. */
export function NoteBecomesText() {
  const said = i18n.t(
    'Hi Nora, the train is late, so please start without me. The signed copy is in the blue folder on my desk. ' +
      'Could you send it to Amir before noon? I’ll call from the station.',
  )
  const words = said.split(' ')
  return (
    <figure
      aria-label={i18n.t(
        '{seconds, plural, one {A voice note of # second, and the transcript that Voxscribe makes of it} other {A voice note of # seconds, and the transcript that Voxscribe makes of it}}',
        { seconds: SECONDS },
      )}
    >
      <div className="ms-auto w-[88%] rounded-[1.4rem] rounded-ee-md bg-wash p-4 sm:w-[78%]">
        <div dir="ltr" className="flex items-center gap-4">
          <span className="grid size-11 shrink-0 place-items-center rounded-full bg-accent text-on-accent">
            <svg viewBox="0 0 16 16" className="ms-0.5 size-4" fill="currentColor" aria-hidden="true">
              <path d="M3 2.2v11.600a1 1 0 0 0 1.500.86l9.700-5.800a1 1 0 0 0 0-1.720L4.500 1.340A1 1 0 0 0 3 2.200z" />
            </svg>
          </span>
          <div className="relative h-11 min-w-0 flex-1 overflow-hidden">
            <Wave className="absolute inset-0 size-full text-edge/50" />
            <div className="sweep absolute inset-0" style={{ '--for': PLAYED_IN } as CSSProperties}>
              <Wave className="size-full text-accent" />
            </div>
          </div>
          <span className="text-soft text-sm tabular-nums">{clockTime(SECONDS)}</span>
        </div>
      </div>
      <Icon of="M12 3v32M5 28l7 7 7-7" box="0 0 24 40" className="mx-auto my-2 h-10 w-6 text-edge" />
      <div className="w-[96%] rounded-card border border-line bg-surface p-6 shadow-sheet sm:p-7">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-line border-b pb-4">
          <div>
            <p className="font-semibold">{i18n.t('Voice note, this morning')}</p>
            <p className="text-soft text-sm">
              {[
                clockTime(SECONDS),
                UI_LANGUAGE_NAMES[currentLanguage()],
                i18n.t('{count, plural, one {# word} other {# words}}', { count: words.length }),
              ].join(' · ')}
            </p>
          </div>
          <Badge tone="good">{i18n.t('Completed|note')}</Badge>
        </div>
        <p className="pt-5 text-lg leading-relaxed">
          {words.map((word, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the sentence never changes
            <span key={index}>
              <span
                className="heard"
                style={{ '--at': 0.4 + (index / words.length) * PLAYED_IN } as CSSProperties}
              >
                {word}
              </span>{' '}
            </span>
          ))}
        </p>
      </div>
    </figure>
  )
}
