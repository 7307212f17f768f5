import { hash } from 'node:crypto'
import type { ConversationRow } from '@voxscribe/contracts/http'
import { audioLength, printableText } from '@voxscribe/contracts/wording'
import type { I18n } from '@voxscribe/languages'
import { directionOf, runsOf, type Sheet, typstLanguage } from '../../export/pdf.ts'
import type { StoredMessage } from '../store.ts'

/** A note as shown in a file of its conversation. */
export interface SaidNote {
  text: string
  original: string | null
  seconds: number | null
  sha256: string | null
}
export type Line = StoredMessage & { n: number; name: string | null; note: SaidNote | null }

export interface Shown {
  conversation: ConversationRow
  /** Digest of the chat's text. */
  sha256: string
  lines: Line[]
  missing: string[]
  i18n: I18n
  isCertified: boolean
  publicUrl: string
}

/** Returns a formatter of times by the chat's clock; the Swedish format is ISO 8601. */
const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
type Clock = Pick<Intl.DateTimeFormat, 'format'>

/** Returns the words of a line: its own, a note's text and original, and labels around them. */
function contentOf({ kind, text, file, note, edited }: Line, i18n: I18n) {
  const label = {
    text: '',
    system: '',
    deleted: i18n.t('Deleted message'),
    note: note?.seconds
      ? i18n.t('Voice note, {length}', { length: audioLength(i18n, note.seconds) })
      : (file?.name ?? ''),
    file: file?.name ? i18n.t('File: {name}', { name: file.name }) : i18n.t('File, left out of the export'),
  }[kind]
  const said = kind === 'note' ? note?.text || i18n.t('Not transcribed') : ''
  return {
    before: [label && `[${label}]`, text].filter(Boolean).join(' '),
    said,
    original: note?.original ?? said,
    after: edited ? ` (${i18n.t('edited')})` : '',
  }
}

/** Formats a line for the digest of the text. */
function textOf(line: Line, i18n: I18n, clock: Clock): string {
  const { before, said, after } = contentOf(line, i18n)
  const name = line.name === null ? '' : `${line.name}: `
  return printableText(
    `${line.n} [${clock.format(line.at)}] ${name}${[before, said].filter(Boolean).join(' ')}${after}`,
  )
}

/** Returns the contents of a conversation's file: the data of a PDF, from which other formats are made, too. */
export function sheetOf({
  conversation,
  sha256,
  lines,
  missing,
  i18n,
  isCertified,
  publicUrl,
}: Shown): Sheet {
  const { id, name, people, from, to, messages, timeZone } = conversation
  const clock = clockIn(timeZone)
  const facts = {
    [i18n.t('People')]: people.map(person => person.name).join(', '),
    [i18n.t('Period')]: `${clock.format(Date.parse(from))} – ${clock.format(Date.parse(to))} (${timeZone})`,
    [i18n.t('Messages')]: String(messages),
    [i18n.t('Missing files')]: missing.join(', '),
    ...(isCertified && {
      [i18n.t('SHA-256 of the chat’s text')]: sha256,
      [i18n.t('SHA-256 of the text')]: hash(
        'sha256',
        lines.map(line => `${textOf(line, i18n, clock)}\n`).join(''),
      ),
    }),
  }
  const paragraphs = lines.map((line): Sheet['paragraphs'][number] => {
    const { before, said, original, after } = contentOf(line, i18n)
    const words = printableText(said)
    const runs = [
      { text: printableText(before && words ? `${before} ` : before), isCorrected: false },
      ...runsOf(words, printableText(original)),
      { text: after, isCorrected: false },
    ].filter(({ text }) => text)
    const number = isCertified ? `${line.n}  ` : ''
    const notes = [
      said !== original && i18n.t('Corrected by hand; originally: {text}', { text: printableText(original) }),
      isCertified && line.note?.sha256 && `${i18n.t('SHA-256 of the audio')}: ${line.note.sha256}`,
    ]
    const direction = directionOf(`${line.text}${said}` || before)
    return {
      time: `${number}${clock.format(line.at)}`,
      address: `${publicUrl}/conversations/${id}?n=${line.n}`,
      direction,
      language: direction === 'rtl' ? 'ar' : 'und',
      speaker: printableText(line.name ?? ''),
      runs,
      before: notes.filter(Boolean).join('\n'),
    }
  })
  return {
    title: printableText(name),
    language: typstLanguage(i18n.locale),
    direction: directionOf(i18n.t('People')),
    facts: Object.entries(facts).flatMap(([fact, value]) =>
      value ? [{ name: fact, value: printableText(value) }] : [],
    ),
    paragraphs,
    texts: [],
    remarks: [i18n.t('These are other people’s words: whoever shares them answers for it.')],
  }
}
