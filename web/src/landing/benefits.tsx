const BENEFITS: [figure: string, what: string, text: string][] = [
  ['95%+', 'accuracy', 'For clear speech, with punctuation. Noise and distance cost words.'],
  ['50+', 'languages', 'Detected automatically. The pricing page says which ones are recognised here today.'],
  ['30 s – 2 min', 'to your text', 'Short notes are ready sooner, long ones a little later.'],
  [
    '30 days',
    'then files are deleted',
    'Unless you specify otherwise. You can delete them sooner at any time.',
  ],
  ['24 h', 'to a reply', 'Real people answer your questions within a day.'],
  ['30 days', 'money back', 'If the paid plan isn’t for you, we give you your money back.'],
]

export const Benefits = () => (
  <section className="page pt-20">
    <h2 className="max-w-[26ch] text-3xl sm:text-4xl">
      Because some things are better read than listened to
    </h2>
    <dl className="mt-10 grid gap-x-8 gap-y-10 sm:grid-cols-2 lg:grid-cols-3">
      {BENEFITS.map(([figure, what, text]) => (
        <div key={what} className="border-ink border-t-2 pt-4">
          <dt>
            <span className="block font-bold font-display text-4xl tracking-tight">{figure}</span>
            <span className="font-semibold">{what}</span>
          </dt>
          <dd className="mt-1 text-soft">{text}</dd>
        </div>
      ))}
    </dl>
  </section>
)
