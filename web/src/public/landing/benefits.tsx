import { Trans } from '@lingui/react'
import type { PublicConfig } from '@voxscribe/contracts/http'
import { SUPPORT_HOURS } from '@voxscribe/contracts/limits'
import { REFUND_DAYS } from '@voxscribe/contracts/plans'
import { percentOf, quantity } from '@voxscribe/contracts/wording'
import { i18n } from '../../language/i18n.ts'
import { paceInWords } from '../../plan/pace.ts'
import { classes } from '../../ui/classes.ts'
import { FASTEST_S, USUAL_S } from './how-it-works.tsx'

/** Share of words that are correct when speech is clear. */
const ACCURACY = 0.95

/** `here`: the claim in words that are true for this installation. */
const BENEFITS: [claim: string, text: string, here?: (config: PublicConfig) => string | undefined][] = [
  [
    /*i18n*/ '<0>{percent}+</0> accuracy',
    /*i18n*/ 'For clear speech, with punctuation. Noise and distance cost words.',
  ],
  [
    /*i18n*/ '<0>50+</0> languages',
    /*i18n*/ 'Detected automatically.',
    ({ speech: { languages } }) =>
      languages === 'all'
        ? undefined
        : i18n.t(
            '{count, plural, one {On this installation: # language.} other {On this installation: # languages.}}',
            { count: languages.length },
          ),
  ],
  [
    /*i18n*/ '<0>{from} – {to}</0> to your text',
    /*i18n*/ 'Short notes are ready sooner, long ones a little later.',
    ({ speech: { secondsPerMinute } }) =>
      secondsPerMinute === undefined ? undefined : paceInWords(secondsPerMinute),
  ],
  [
    /*i18n*/ '{days, plural, one {<0># day</0> then files are deleted} other {<0># days</0> then files are deleted}}',
    /*i18n*/ 'Unless you specify otherwise. You can delete them sooner at any time.',
  ],
  [/*i18n*/ '<0>{hours}</0> to a reply', /*i18n*/ 'Real people answer your questions within a day.'],
  [
    /*i18n*/ '{refundDays, plural, one {<0># day</0> money back} other {<0># days</0> money back}}',
    /*i18n*/ 'If the paid plan isn’t for you, we give you your money back.',
  ],
]

/** `here`: this installation's settings, undefined until loaded. */
export function Benefits({ here: config }: { here: PublicConfig | undefined }) {
  return (
    <section className="page pt-20">
      <h2 className="max-w-[26ch] text-3xl sm:text-4xl">
        {i18n.t('Because some things are better read than listened to')}
      </h2>
      <dl className="mt-10 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
        {BENEFITS.filter(([claim]) => config?.plans !== false || !claim.startsWith('{refundDays,')).map(
          ([claim, text, here]) => (
            <div
              key={claim}
              // Its space is reserved until the number is known.
              className={classes(
                'border-ink border-t-2 pt-4',
                !config && claim.startsWith('{days,') && 'invisible',
              )}
            >
              <dt className="font-semibold">
                <Trans
                  id={claim}
                  values={{
                    days: config?.retentionDays ?? 0,
                    refundDays: REFUND_DAYS,
                    hours: quantity(i18n, SUPPORT_HOURS, 'hour'),
                    percent: percentOf(i18n, ACCURACY),
                    from: quantity(i18n, FASTEST_S, 'second'),
                    to: quantity(i18n, USUAL_S / 60, 'minute'),
                  }}
                  components={{
                    0: <span className="block font-bold font-display text-4xl tracking-tight" />,
                  }}
                />
              </dt>
              <dd className="mt-1 text-soft">
                {i18n.t(text)} {config && here?.(config)}
              </dd>
            </div>
          ),
        )}
      </dl>
    </section>
  )
}
