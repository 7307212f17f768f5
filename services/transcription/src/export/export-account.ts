import { extname } from 'node:path'
import { fileNameFor } from '@voxscribe/contracts/file-names'
import {
  api,
  type CheckedBodyOf,
  type Form,
  type OwnWords,
  type TranscriptionDocument,
} from '@voxscribe/contracts/http'
import { localTitle } from '@voxscribe/contracts/local-title'
import { dateOf } from '@voxscribe/contracts/wording'
import type { I18n } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { type Blobs, implement, type Route } from '@voxscribe/service'
import { titleOf } from '../note/listing.ts'
import type { NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'
import { presentDocument } from '../pages/document.ts'
import { exportedInTurn } from './export.ts'
import { everyNote } from './export-many.ts'
import type { OneExport } from './one-export.ts'
import { sendZip, uniqueNames, type ZippedFile } from './zip.ts'

/** Estimated bytes of a note besides its audio, for `x-expected-bytes`. */
const TEXT_BYTES = 2_500

type Wanted = CheckedBodyOf<typeof api.exportOfNotes>

interface Deps {
  notes: Notes
  sharing: { forNote(note: NoteRecord): Promise<TranscriptionDocument['share']> }
  blobs: Blobs
  beginExport: OneExport
  ownWords: { forUser(userId: string): Promise<OwnWords> }
  forms: { forUser(userId: string): Promise<Form[]> }
  conversationsOf(userId: string): AsyncIterable<ZippedFile>
}

/** Sends a zip of the files in the gateway's call, and every note with its audio. */
export const exportOfAccountRoute = (deps: Deps): Route =>
  implement(api.exportOfNotes, async ({ body }) => {
    const { ids, audioBytes } = await everyNote(deps.notes.model, body.userId)
    const begun = await deps.beginExport(body.userId)
    return {
      data: null,
      send(response) {
        response.set('x-expected-bytes', String(audioBytes + ids.length * TEXT_BYTES))
        return sendZip(response, 'voxscribe.zip', filesOf(deps, body, ids), begun)
      },
    }
  })

const jsonFile = (name: string, value: unknown, at: Date): ZippedFile => ({
  name: `${name}.json`,
  at,
  content: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
})

async function* filesOf(
  { notes, sharing, blobs, ownWords, forms, conversationsOf }: Deps,
  { userId, language, files }: Wanted,
  ids: string[],
): AsyncGenerator<ZippedFile> {
  const i18n = i18nFor(language)
  const now = new Date()
  const kept = { ...files, words: await ownWords.forUser(userId), forms: await forms.forUser(userId) }
  for (const [name, value] of Object.entries(kept)) yield jsonFile(name, value, now)
  const counts = { notes: 0, audio: 0 }
  const unique = uniqueNames()
  for (const id of ids) {
    const found = notes.model.findOne({ _id: id, userId, deletedAt: null }, { levels: 0, words: 0 })
    const note = await found.lean<NoteRecord | null>()
    // It was deleted in the meantime.
    if (!note) continue
    const at = note.createdAt
    const stem = unique(
      `${at.toISOString().slice(0, 10)} ${fileNameFor(localTitle(i18n, titleOf(note)), '.txt')}`,
    ).slice(0, -4)
    counts.notes += 1
    yield jsonFile(`transcripts/${stem}`, presentDocument(note, null, await sharing.forNote(note)), at)
    if (note.status === 'completed') {
      const { content } = await exportedInTurn(note, 'txt', { i18n, publicUrl: '' })
      yield { name: `transcripts/${stem}.txt`, at, content: Buffer.from(content) }
    }
    const audio = await audioOf(note, blobs)
    if (!audio) continue
    counts.audio += 1
    try {
      yield { name: `audio/${stem}${endingOf(note)}`, at, content: audio }
    } finally {
      audio.destroy()
    }
  }
  for await (const { name, ...chat } of conversationsOf(userId))
    yield { ...chat, name: `conversations/${unique(fileNameFor(name, '.json'))}` }
  yield { name: 'README.txt', at: now, content: Buffer.from(readme(i18n, now, counts)) }
}

async function audioOf({ objectKey }: NoteRecord, blobs: Blobs) {
  return objectKey && (await blobs.exists(objectKey)) ? blobs.read(objectKey) : null
}

/** Returns the extension of the original file. */
const endingOf = ({ fileName }: NoteRecord) => /^\.\w{1,8}$/.exec(extname(fileName))?.[0] ?? ''

/** Lists the contents of the zip. This is its last file, so the counts are known. */
function readme(i18n: I18n, now: Date, counts: { notes: number; audio: number }): string {
  const contents = {
    'profile.json': i18n.t('Your profile and your plan.'),
    'sessions.json': i18n.t('Where you’re signed in'),
    'keys.json': i18n.t('Your API keys, without their secrets.'),
    'hooks.json': i18n.t('Your hooks, without their secrets.'),
    'payments.json': i18n.t('Your payments.'),
    'minutes.json': i18n.t('The minutes that each note has used.'),
    'words.json': i18n.t('Your own words and replacements.'),
    'forms.json': i18n.t('Your forms of texts.'),
    'transcripts/': i18n.t(
      '{notes, plural, one {# note, each with all that we know about it (JSON) and, once it is transcribed, its text (TXT).} other {# notes, each with all that we know about it (JSON) and, once it is transcribed, its text (TXT).}}',
      counts,
    ),
    'conversations/': i18n.t('Your chats, with their messages.'),
    'audio/': i18n.t(
      '{audio, plural, one {The audio of # note. Other audio has already been deleted.} other {The audio of # notes. Other audio has already been deleted.}}',
      counts,
    ),
  }
  const date = dateOf(i18n, now.toISOString())
  const title = i18n.t('This is everything that Voxscribe keeps about you, as of {date}.', { date })
  const lines = Object.entries(contents).map(([file, content]) => `${file}  ${content}`)
  return `${title}\n\n${lines.join('\n')}\n`
}
