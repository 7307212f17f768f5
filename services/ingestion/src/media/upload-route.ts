import { randomUUID } from 'node:crypto'
import { derivedId, type EventOf, MediaReceived } from '@voxscribe/contracts/events'
import { api, ONCE_HEADER, type Transcription, UploadForm } from '@voxscribe/contracts/http'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import { ACCOUNT_BLOCKED, sentenceOf } from '@voxscribe/contracts/reasons'
import { english } from '@voxscribe/languages'
import {
  type AccessClaims,
  checked,
  currentTrace,
  implement,
  invalid,
  invalidField,
  Problem,
  type Route,
  refusal,
  temporaryPlace,
} from '@voxscribe/service'
import type { Request } from 'express'
import type { Deps } from '../deps.ts'
import { type Account, noteSettingsOf } from '../senders/accounts.ts'
import { cleanName, nameFor } from '../senders/inbound.ts'
import { mediaMimeOf, objectKeyOf, Rejected, TEMPORARY_PREFIX, tooLarge } from './file.ts'
import { FORM_OVERHEAD_BYTES, receiveForm } from './form.ts'
import type { Claim } from './uploads.ts'

const UploadFields = UploadForm.omit({ file: true })
const KEY_MAX = 255

/** Stores an uploaded file as a note. Checks its type and size at once; its length is checked later. */
export const uploadRoute = (deps: Deps): Route =>
  implement(api.upload, async ({ request, userId, claims }) => {
    await deps.uploadLimit.count(userId)
    if (Number(request.headers['content-length']) > MAX_FILE_BYTES + FORM_OVERHEAD_BYTES) {
      request.resume()
      throw problemOf(tooLarge(0))
    }
    const claim = await claimFor(deps, request, userId)
    const { path, remove } = temporaryPlace(`${TEMPORARY_PREFIX}${claim.mediaId}-`)
    try {
      const { transcription, isNew } = await receive(deps, { request, claims, claim, path })
      return isNew
        ? { data: { transcription }, message: 'We have your file.' }
        : { data: { transcription }, status: 200, message: 'This file is here already.' }
    } catch (error) {
      // A client that is still sending reads the response only once its body is consumed.
      request.resume()
      throw error instanceof Rejected ? problemOf(error) : error
    } finally {
      await claim.release()
      await remove()
    }
  })

/** Claims the caller's key. Without a key, the gateway may request one note per file, as its clients retry timeouts. */
function claimFor({ uploads, media }: Deps, request: Request, userId: string): Promise<Claim> | Claim {
  const key = keyOf(request)
  const isDeleted = async (id: string) => (await media.byId(id))?.status === 'deleted'
  return key === undefined && request.get(ONCE_HEADER)
    ? uploads.claimOnce(userId, isDeleted)
    : uploads.claim(userId, key)
}

interface Upload {
  request: Request
  claims: AccessClaims
  claim: Claim
  path: string
}

/** Idempotent: after a crash, the same file under the same key continues where the first upload stopped. */
async function receive(
  deps: Deps,
  upload: Upload,
): Promise<{ transcription: Transcription; isNew: boolean }> {
  const { media, accounts, admit, list } = deps
  const { claims, claim, path } = upload
  const known = await media.byId(claim.mediaId)
  if (known?.status === 'deleted') throw refusal('note_deleted')
  const read = async (current: () => Promise<Account | null>) => {
    const { belongs, ...file } = await readFile(deps, upload)
    const account = await current()
    const note = { ...noteSettingsOf(account), ...file }
    return { account, note, item: justReceived(note, belongs) }
  }
  if (known) {
    const { note, item } = await read(() => accounts.byId(claims.userId))
    await list(receivedEvent(note))
    return { transcription: item, isNew: false }
  }
  let isEarlier = false
  let transcription: Transcription | undefined
  let event: EventOf<'MediaReceived'> | undefined
  const stored = await admit(claims.userId, async current => {
    // Checked before the file is received, and again once it's complete.
    await current()
    const { account, note, item } = await read(current)
    event = receivedEvent(note)
    transcription = item
    isEarlier = note.mediaId !== claim.mediaId && (await media.byId(note.mediaId)) !== null
    return !isEarlier && (await media.store(path, event, account?.audio)) ? note : null
  })
  if (!transcription || !event || !(isEarlier || stored)) throw refusal('note_deleted')
  // The returned note can be read, named and deleted at once.
  await list(event)
  return { transcription, isNew: !isEarlier }
}

const receivedEvent = (note: ReceivedNote) =>
  MediaReceived.create(note, {
    id: derivedId('media-received', note.mediaId),
    traceId: currentTrace() ?? randomUUID(),
  })

/** Formats with times, of `/v1/audio/transcriptions`, whose form is forwarded unchanged. */
const TIMED = ['srt', 'vtt', 'verbose_json']

/** Receives the form's file and fields, and binds the idempotency key to the file. */
async function readFile(deps: Deps, { request, claims, claim, path }: Upload) {
  const { userId, keyId } = claims
  const { file, fileName: given, fields } = await receiveForm(request, path, MAX_FILE_BYTES)
  const { bytes, sha256 } = file
  const { title, conversation, conversationFile, ...options } = checked(UploadFields, fields)
  const place = conversation === undefined ? null : { id: conversation, file: conversationFile ?? '' }
  const { language: expected, ...belongs } = place
    ? await deps.conversationFile(userId, place.id, place.file)
    : { language: null }
  const language = options.language ?? expected ?? undefined
  const mime = await mediaMimeOf(path, bytes)
  const accepted = await claim.accept(sha256, language)
  const { at } = accepted
  const mediaId = place ? await idIn(deps, userId, place) : accepted.mediaId
  return {
    mediaId,
    userId,
    fileName: cleanName(given) || nameFor('Audio', at, mime),
    receivedAt: at.toISOString(),
    bytes,
    sha256,
    mime,
    objectKey: objectKeyOf(mediaId, at),
    ...(language ? { language } : {}),
    source: { channel: keyId ? ('api' as const) : ('web' as const) },
    ...(title ? { title } : {}),
    ...(TIMED.includes(fields.response_format ?? '') && { wantsTimes: true }),
    ...(place ? { conversation: place } : {}),
    belongs,
  }
}

/** Returns one id per recording of a conversation, however often it's uploaded; a new one once its note was deleted. */
async function idIn({ media }: Deps, userId: string, { id, file }: { id: string; file: string }) {
  let mediaId = derivedId('note-of-conversation', userId, id, file)
  while ((await media.byId(mediaId))?.status === 'deleted') mediaId = derivedId('note-again', mediaId)
  return mediaId
}

function keyOf({ headers }: Request): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x21-\x7e]+$/.test(key) && key.length <= KEY_MAX) return key
  throw invalidField('Idempotency-Key', 'idempotency_key_malformed', { max: KEY_MAX })
}

type Belongs = Partial<Pick<Transcription, 'conversation' | 'sender' | 'createdAt'>>
type ReceivedNote = EventOf<'MediaReceived'>['data'] & { receivedAt: string }

/** Returns what ingestion knows of the note; `GET /transcriptions/{id}` has the rest. */
function justReceived(
  note: ReceivedNote,
  { createdAt = note.receivedAt, conversation = null, sender = null }: Belongs,
): Transcription {
  return {
    id: note.mediaId,
    fileName: note.fileName,
    title: note.title ?? note.fileName,
    titleFrom: note.title ? 'person' : 'file',
    tags: [],
    source: note.source.channel,
    engine: null,
    edited: false,
    version: 1,
    date: createdAt.slice(0, 10),
    time: createdAt.slice(11, 16),
    createdAt,
    fileSize: note.bytes,
    audioLength: '',
    durationSeconds: null,
    language: note.language,
    status: 'processing',
    text: '',
    wordCount: 0,
    confidenceScore: null,
    notice: null,
    notices: [],
    error: null,
    failure: null,
    audioAvailable: true,
    sameAs: null,
    speakers: [],
    voices: null,
    conversation,
    sender,
  }
}

/** Returns the response for a file that can't become a note. */
function problemOf({ reason, limitReached }: Rejected): Problem {
  const sentence = sentenceOf(english, reason)
  const { code } = reason
  if (code === ACCOUNT_BLOCKED) return new Problem(403, code, sentence)
  if (limitReached) return new Problem(429, code, sentence, limitReached)
  if (code === 'empty_file') return invalid([{ field: 'file', message: sentence }])
  return new Problem(code === 'too_large' ? 413 : 415, code, sentence)
}
