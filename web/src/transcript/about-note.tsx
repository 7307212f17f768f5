import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import { moment } from '../ui/figures.ts'
import { engineLabel } from './engine-label.ts'
import { sourceLabel } from './note/source-label.ts'

/** Shows a note's origin and what recognised it. */
export function AboutNote({
  createdAt,
  audioLength,
  language,
  engine,
  source,
  confidenceScore,
}: TranscriptionDocument) {
  const facts = [
    ['Received', moment(createdAt)],
    ['Source', sourceLabel(source)],
    ['Length', audioLength],
    ['Language', language !== 'auto' && languageLabel(language)],
    ['Recognised by', engine && engineLabel(engine)],
    ['Confidence', confidenceScore !== null && `${Math.round(confidenceScore * 100)}%`],
  ].filter((fact): fact is [string, string] => Boolean(fact[1]))
  return (
    <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="flex min-w-0 gap-1.5">
          <dt className="text-soft">{name}</dt>
          <dd className="wrap-anywhere font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
