import { i18n } from '../../language/i18n.ts'
import { Summary } from './summary.tsx'

/** Questions and answers; an answer is undefined while it is loaded. */
export const Questions = ({ questions }: { questions: Record<string, string | undefined> }) => (
  <section>
    <h2 className="text-3xl">{i18n.t('Frequently asked questions')}</h2>
    <div className="mt-6 border-line border-t">
      {Object.entries(questions).map(([question, answer]) => (
        <details key={question} className="group border-line border-b">
          <Summary className="justify-between py-4 text-lg hover:text-accent">{question}</Summary>
          <p className="max-w-prose pb-5 text-soft">{answer ?? i18n.t('Loading...')}</p>
        </details>
      ))}
    </div>
  </section>
)
