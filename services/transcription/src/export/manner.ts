import { printableText, type speakerNames } from '@voxscribe/contracts/wording'
import type { I18n } from '@voxscribe/languages'
import type { NoteRecord } from '../note/record.ts'

/** How a file is made, in the reader's language. `publicUrl` begins the address of the note's page. */
export interface Manner {
  i18n: I18n
  publicUrl: string
  /** Unset: as is usual for the format. */
  withTimes?: boolean | undefined
  /** The language of a note that is not in its own. */
  translation?: string | undefined
  /** Unset: where they are told apart. */
  withSpeakers?: boolean | undefined
  /** With the texts in its person's forms. */
  withTexts?: boolean | undefined
  /** For PDF: with what proves it. */
  isCertified?: boolean | undefined
}
/** A manner with what every format needs: a heading, names of speakers, and a remark about times, empty where they are exact. */
export interface Written extends Manner {
  withTimes: boolean
  heading: string
  nameOf: ReturnType<typeof speakerNames>
  remark: string
  /** In its person's forms, below its own. */
  texts: { name: string; text: string }[]
}
export const textsIn = (
  note: NoteRecord,
  { withTexts = false }: Pick<Manner, 'withTexts'>,
): Written['texts'] =>
  withTexts
    ? (note.texts ?? []).flatMap(({ name, status, text }) =>
        status === 'done' ? { name: printableText(name), text: printableText(text) } : [],
      )
    : []
export const linesIn = (text: string): string[] => text.split('\n').filter(line => line.trim())
export const areEstimates = ({ timesExact, text }: NoteRecord) => !timesExact && text !== ''
export const remarkOn = (note: NoteRecord, i18n: I18n): string =>
  areEstimates(note) ? i18n.t('The times are estimates: the engine gave none.') : ''
