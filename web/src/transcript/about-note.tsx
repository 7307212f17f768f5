import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { languageLabel } from '@voxscribe/contracts/languages'
import { Facts } from '../ui/facts.tsx'
import { moment, percent } from '../ui/figures.ts'
import { engineLabel } from './engine-label.ts'
import { sourceLabel } from './note/source-label.ts'

/** Shows a note's origin and what recognised it. */
export const AboutNote = (note: TranscriptionDocument) => (
  <Facts
    look="line"
    className="mt-3"
    facts={[
      ['Received', moment(note.createdAt)],
      ['Source', sourceLabel(note.source)],
      ['Length', note.audioLength],
      ['Language', note.language !== 'auto' && languageLabel(note.language)],
      ['Recognised by', note.engine && engineLabel(note.engine)],
      ['Confidence', percent(note.confidenceScore)],
    ]}
  />
)
