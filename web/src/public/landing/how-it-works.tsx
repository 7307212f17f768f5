import { MAX_FILE_MB } from '@voxscribe/contracts/limits'
import { lengthInWords, quantity } from '@voxscribe/contracts/wording'
import { i18n } from '../../language/i18n.ts'
import { Wave } from './wave.tsx'

/** Seconds until a text is ready, as the product claims. */
export const FASTEST_S = 30
export const USUAL_S = 120

const Lines = ({ widths }: { widths: number[] }) => (
  <svg
    viewBox="0 0 120 48"
    className="h-12 w-30 stroke-ink rtl:-scale-x-100"
    strokeWidth="4"
    strokeLinecap="round"
    aria-hidden="true"
  >
    {widths.map((width, index) => (
      <path key={width} d={`M2 ${8 + index * 16}h${width}`} />
    ))}
  </svg>
)

const STEPS = [
  {
    title: /*i18n*/ 'Send Audio',
    text: /*i18n*/ 'Forward a voice note to our WhatsApp number, or send it an audio or video file of up to {size}.',
    picture: <Wave className="h-12 w-30 text-accent" />,
  },
  {
    title: /*i18n*/ 'We Process',
    text: /*i18n*/ 'We detect the language and turn the speech into text, in {from} to {to}.',
    picture: (
      <div className="flex items-center gap-2">
        <div className="w-14 overflow-hidden">
          <Wave className="h-12 w-30 text-accent" />
        </div>
        <div className="w-14 overflow-hidden">
          <Lines widths={[54, 40, 48]} />
        </div>
      </div>
    ),
  },
  {
    title: /*i18n*/ 'Receive Text',
    text: /*i18n*/ 'The text comes back as a reply in the chat. You can search, copy or delete it in your history.',
    picture: <Lines widths={[112, 96, 60]} />,
  },
]

export const HowItWorks = () => (
  <section className="border-line border-y bg-surface">
    <div className="page py-16">
      <h2 className="text-3xl sm:text-4xl">{i18n.t('How It Works')}</h2>
      <ol className="mt-10 grid gap-10 md:grid-cols-3 md:gap-8">
        {STEPS.map(({ title, text, picture }, index) => (
          <li key={title} className="md:border-line md:border-s md:ps-7">
            <div className="flex h-12 items-center">{picture}</div>
            <h3 className="mt-5 text-xl">
              <span className="me-2 text-accent tabular-nums">{index + 1}</span>
              {i18n.t(title)}
            </h3>
            <p className="mt-2 text-soft">
              {i18n.t(text, {
                size: quantity(i18n, MAX_FILE_MB, 'megabyte'),
                from: lengthInWords(i18n, FASTEST_S),
                to: lengthInWords(i18n, USUAL_S),
              })}
            </p>
          </li>
        ))}
      </ol>
    </div>
  </section>
)
