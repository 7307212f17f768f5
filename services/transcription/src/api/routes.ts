import { api, type CheckedBodyOf } from '@voxscribe/contracts/http'
import { TAGS_MAX } from '@voxscribe/contracts/limits'
import type { TranscriptionChange } from '@voxscribe/contracts/live'
import { distinctTags } from '@voxscribe/contracts/tags'
import { i18nFor } from '@voxscribe/languages/node'
import {
  type AccessClaims,
  type Blobs,
  type ByteRange,
  type ClosedAccounts,
  implement,
  invalidField,
  type Logger,
  leftSignal,
  Problem,
  type RateLimits,
  type Route,
  refusal,
} from '@voxscribe/service'
import { type Engines, isEngine } from '@voxscribe/speech'
import type { Response } from 'express'
import { notesOf, transcriptsOf } from '../export/export-many.ts'
import type { OneExport } from '../export/one-export.ts'
import type { Quoting } from '../export/quote.ts'
import { sendZip } from '../export/zip.ts'
import { presentNote } from '../note/item.ts'
import { audioOf } from '../note/played.ts'
import type { NoteRecord } from '../note/record.ts'
import { isNaming } from '../note/store.ts'
import { createAudioLinks } from '../pages/audio-link.ts'
import { presentDocument } from '../pages/document.ts'
import type { Live } from '../pages/live.ts'
import { partialOf } from '../pages/partial.ts'
import { sampleRecording } from '../pages/sample/sample.ts'
import { sendAudio } from '../pages/send-audio.ts'
import { counted, deletedInBulk, deletedOne } from './deleting.ts'
import { EDITS, edit, versionOf } from './edit.ts'
import type { Rules } from './rules.ts'

interface Deps extends Rules {
  blobs: Blobs
  engines: Engines
  live: Live
  closed: Pick<ClosedAccounts, 'has' | 'refuses'>
  beginExport: OneExport
  quoting: Quoting
  publicUrl: string
  rateLimits: RateLimits
  log: Logger
}

export function transcriptionRoutes(deps: Deps): Route[] {
  const { find } = deps.notes
  const { notes, history, refresh, findSpeakers, deletion, exportNote, gists, translations, sharing } = deps
  const { forms, formTexts, samples } = deps
  const { blobs, engines, live, closed, textSoFar, beginExport, quoting } = deps
  const { publicUrl, rateLimits, log } = deps
  const edits = rateLimits('edit-person', EDITS, true)
  const links = createAudioLinks(notes)

  const whole = async (note: NoteRecord) => {
    const parts = [links.addressOf(note), sharing.forNote(note), textSoFar(note)] as const
    return { transcription: presentDocument(note, ...(await Promise.all(parts))) }
  }

  /** Throws 401 if the caller's access has ended during a long call. */
  async function refuseEnded(claims: AccessClaims): Promise<void> {
    if (await closed.refuses(claims)) throw refusal('unauthorized')
  }

  async function remove(id: string, userId: string) {
    if (await samples.remove(id, userId)) return { charged: null }
    const done = await deletion.remove(id, userId)
    if (!done) throw refusal('note_unknown')
    return done
  }

  async function again(id: string, userId: string, wanted: CheckedBodyOf<typeof api.refreshTranscription>) {
    const note = await find(id, userId)
    const { language = note.language, engine: askedEngine = null } = wanted ?? {}
    const canServe = engines.ladder().some(engine => engine.name === askedEngine && isEngine(engine))
    if (askedEngine && !canServe) throw invalidField('engine', 'engine_unknown')
    return refresh(note, { language, askedEngine })
  }

  async function addTags(id: string, userId: string, added: string[]): Promise<void> {
    const withThese = (note: NoteRecord) => {
      const tags = distinctTags([...(note.tags ?? []), ...added])
      if (tags.length > TAGS_MAX) throw invalidField('tags', 'tags_too_many')
      return { tags }
    }
    await edit(notes, () => find(id, userId), withThese, undefined)
  }

  /** Acts on the notes one after another; a failure with one does not stop the others. */
  async function inBulk(ids: string[], act: (id: string) => Promise<unknown>) {
    const done: string[] = []
    const failed: { id: string; message: string }[] = []
    for (const id of ids) {
      try {
        await act(id)
        done.push(id)
      } catch (err) {
        const isOurs = !(err instanceof Problem)
        if (isOurs) log.error({ err, id }, 'one of several notes could not be changed')
        failed.push({ id, message: isOurs ? 'Something went wrong. Please try again.' : err.message })
      }
    }
    return { done, failed }
  }

  return [
    implement(api.transcriptionStats, async ({ userId }) => ({ data: await history.stats(userId) })),
    implement(api.transcriptions, async ({ userId, query, uiLanguage, request }) => {
      const sample = () => samples.itemFor(userId, uiLanguage)
      return { data: await history.page(userId, query, leftSignal(request.res!), sample) }
    }),
    implement(api.transcriptionEvents, async ({ claims }) => ({ data: null, send: live.streamFor(claims) })),
    implement(api.transcription, async ({ userId, claims, params: { id }, query: { wait, heard } }) => {
      const isOver = async () => {
        const note = await notes.byId(id)
        if (note?.userId !== userId) return true
        const hasMore = heard !== undefined && (partialOf(note)?.seconds ?? 0) > heard
        return note.status !== 'processing' || hasMore
      }
      if (wait) {
        const isMeant = (change: TranscriptionChange) =>
          change.id === id && (heard !== undefined || change.status !== 'processing')
        await live.waitFor(userId, isMeant, wait, isOver)
        await refuseEnded(claims)
      }
      const sample = await samples.documentOf(id, userId)
      return { data: sample ? { transcription: sample } : await whole(await find(id, userId)) }
    }),

    implement(api.editTranscription, async ({ userId, params, body, request }) => {
      await edits.count(userId)
      const version = versionOf(request.get('if-match'))
      const findOpen = async () => {
        const note = await find(params.id, userId)
        if (note.status === 'processing' && !isNaming(body)) throw refusal('already_processing')
        return note
      }
      return { data: await whole(await edit(notes, findOpen, body, version)), message: 'Saved' }
    }),

    implement(api.transcriptionAudio, async ({ userId, params, query }) => {
      const sample = sampleRecording(params.id)
      if (sample) return { data: null, send: response => sendAudio(response, sample.audio, sample.open) }
      if (!userId && !query.token) throw refusal('unauthorized')
      const note = await notes.byId(params.id)
      const isAllowed = userId ? note?.userId === userId : note && links.isValid(note, query.token ?? '')
      if (!note || note.deletedAt || !isAllowed || (await closed.has(note.userId)))
        throw refusal('note_unknown')
      const audio = audioOf(note, query.download !== '1')
      if (!audio || !(await blobs.exists(audio.key))) throw refusal('audio_deleted')
      const open = async (range?: ByteRange) => {
        try {
          return await blobs.read(audio.key, range)
        } catch (error) {
          throw (await blobs.exists(audio.key)) ? error : refusal('audio_deleted')
        }
      }
      return { data: null, send: response => sendAudio(response, audio, open) }
    }),

    implement(api.exportTranscription, async ({ userId, params, query, uiLanguage, request }) => {
      const { format, times, language, speakers, certified, texts } = query
      const withSpeakers = speakers !== 'off'
      const withTimes = times && times === 'on'
      const options = { withTimes, withSpeakers, isCertified: certified === 'on', withTexts: texts === 'on' }
      const wanted = { format, ...options, i18n: i18nFor(uiLanguage), translation: language }
      const { name, content } = await exportNote(params.id, userId, wanted, leftSignal(request.res!))
      const send = async (response: Response) => {
        response.attachment(name).set('x-content-type-options', 'nosniff').send(content)
      }
      return { data: null, send }
    }),

    implement(api.quoteTranscription, async ({ userId, params, query, uiLanguage }) => {
      const { note, span } = await quoting.find(params.id, userId, query)
      return { data: null, send: response => quoting.send(response, note, span, i18nFor(uiLanguage)) }
    }),

    implement(api.translate, async ({ userId, claims, params, body }) => {
      const note = await translations(await find(params.id, userId), body.language)
      await refuseEnded(claims)
      return { data: await whole(note) }
    }),
    implement(api.findSpeakers, async ({ userId, params: { id }, body }) => {
      await findSpeakers(await find(id, userId), { count: body?.count ?? null, by: null })
      return { data: await whole(await find(id, userId)), message: 'The speakers are being told apart' }
    }),
    implement(api.cancelSpeakers, async ({ userId, params: { id } }) => {
      const note = await find(id, userId)
      if (note.work?.step === 'voices') await notes.textWorkEnded(note, {}, null)
      return { data: await whole(await find(id, userId)) }
    }),
    implement(api.makeGist, async ({ userId, claims, params, uiLanguage }) => {
      const note = await gists(await find(params.id, userId), uiLanguage)
      await refuseEnded(claims)
      return { data: await whole(note) }
    }),

    implement(api.makeText, async ({ userId, claims, params, body, uiLanguage }) => {
      const note = await find(params.id, userId)
      const form = (await forms.forUser(userId)).find(({ id }) => id === body.formId)
      if (!form) throw refusal('form_unknown')
      const made = await formTexts(note, form, uiLanguage)
      await refuseEnded(claims)
      return { data: await whole(made) }
    }),

    implement(api.deleteTranscription, async ({ userId, params }) => {
      const { charged } = await remove(params.id, userId)
      return { data: null, message: deletedOne(charged) }
    }),

    implement(api.refreshTranscription, async ({ userId, params, body }) => ({
      data: { transcription: presentNote(await again(params.id, userId, body)) },
      message: 'The note is being transcribed again',
    })),

    implement(api.changeTranscriptions, async ({ userId, body: { ids, action, tags = [] } }) => {
      if (action === 'tag') await edits.count(userId)
      const costs = { repeats: 0, read: 0 }
      const act = async (id: string) => {
        if (action === 'refresh') return void (await again(id, userId, undefined))
        if (action === 'tag') return void (await addTags(id, userId, tags))
        const { charged } = await remove(id, userId)
        if (charged) costs[charged] += 1
      }
      const data = { ...(await inBulk(ids, act)), charged: costs.repeats, chargedInPart: costs.read }
      const { length } = data.done
      const messages = {
        delete: deletedInBulk(length, costs.repeats, costs.read),
        refresh: `${counted(length)} being transcribed again.`,
        tag: `${counted(length)} tagged.`,
      }
      return { data, message: messages[action] }
    }),

    implement(api.exportTranscriptions, async ({ userId, body: { ids, format }, uiLanguage }) => {
      const begun = await beginExport(userId)
      const options = { i18n: i18nFor(uiLanguage), publicUrl }
      const files = transcriptsOf(notesOf(notes.model, userId, ids), format, options, begun.signal)
      return { data: null, send: response => sendZip(response, 'transcripts.zip', files, begun) }
    }),
  ]
}
