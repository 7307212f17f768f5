import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import { Icon } from '../ui/icon.tsx'

const NOTES = [
  {
    lang: 'en',
    from: 'Voice note, 12 March',
    facts: '48 s · English · 121 words',
    text: [
      '… he can come on Thursday after four, the ',
      'boiler',
      ' needs a new valve, and he wants somebody at home …',
    ],
  },
  {
    lang: 'de',
    from: 'Voice note, 2 February',
    facts: '22 s · German · 54 words',
    text: ['… die Rechnung für den ', 'Boiler', ' liegt bei den Unterlagen, zweite Schublade von oben …'],
  },
]

/** The history, as it looks with a search in it. */
export const FoundAgain = () => (
  <section className="page grid items-center gap-x-14 gap-y-10 pt-20 lg:grid-cols-[1fr_1.25fr]">
    <div>
      <h2 className="text-3xl sm:text-4xl">What was that about the boiler?</h2>
      <p className="mt-4 max-w-prose text-lg text-soft">
        Nobody scrolls back through eleven minutes of audio. Type the word you remember, and read what was
        said around it: who, when, and how to spell it.
      </p>
    </div>
    <figure
      aria-label="The history of transcripts, searched for the word boiler: two notes are found"
      className="rounded-card bg-sunken p-4 sm:p-7"
    >
      <div className="flex items-center gap-3 rounded-control border border-edge bg-surface px-4 py-2.5">
        <Icon
          of="m13 13 4.500 4.500M14.500 8.500a6 6 0 1 1-12 0 6 6 0 0 1 12 0z"
          box="0 0 20 20"
          className="size-4.5 text-soft"
        />
        boiler
      </div>
      <div className="mt-4 grid gap-3">
        {NOTES.map(({ lang, from, facts, text: [before, found, after] }) => (
          <Card key={from} className="p-5">
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <p className="font-semibold">{from}</p>
              <Badge tone="good">Completed</Badge>
            </div>
            <p className="text-soft text-sm">{facts}</p>
            <p className="mt-3" lang={lang}>
              {before}
              <span className="marked font-semibold">{found}</span>
              {after}
            </p>
          </Card>
        ))}
      </div>
    </figure>
  </section>
)
