import { printableText, type speakerNames } from '@voxscribe/contracts/wording'
import type { I18n } from '@voxscribe/languages'
import type { NoteRecord } from '../note/record.ts'

/** Options of a file, in the reader's language. `publicUrl`: base of the link to the note's page. */
export interface ExportOptions {
  i18n: I18n
  publicUrl: string
  /** Default: as usual for the format. */
  withTimes?: boolean | undefined
  /** Language of the translation to show; unset: the original text. */
  translation?: string | undefined
  /** Default: on, if speakers are told apart. */
  withSpeakers?: boolean | undefined
  /** Adds the texts in the person's forms. */
  withTexts?: boolean | undefined
  /** For PDF: adds checksums, times and the original words. */
  isCertified?: boolean | undefined
}
/** Options that every format needs: a heading, names of speakers, and a remark about times, empty if they are exact. */
export interface ResolvedOptions extends ExportOptions {
  withTimes: boolean
  heading: string
  nameOf: ReturnType<typeof speakerNames>
  remark: string
  /** In the person's forms; shown below the transcript. */
  texts: { name: string; text: string }[]
}
export const textsIn = (
  note: NoteRecord,
  { withTexts = false }: Pick<ExportOptions, 'withTexts'>,
): ResolvedOptions['texts'] =>
  withTexts
    ? (note.texts ?? []).flatMap(({ name, status, text }) =>
        status === 'done' ? { name: printableText(name), text: printableText(text) } : [],
      )
    : []
export const linesIn = (text: string): string[] => text.split('\n').filter(line => line.trim())
export const areEstimates = ({ timesExact, text }: NoteRecord) => !timesExact && text !== ''
export const remarkOn = (note: NoteRecord, i18n: I18n): string =>
  areEstimates(note) ? i18n.t('The times are estimates: the engine gave none.') : ''
