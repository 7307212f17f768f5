import { MAX_FILE_BYTES } from '@voxscribe/contracts/business'
import type { Reason } from '@voxscribe/contracts/events'

/** A file that cannot become a note, whatever we do. */
export class Rejected extends Error {
  override name = 'Rejected'
  readonly reason: Reason
  readonly bytes: number
  constructor(reason: Reason, bytes = 0) {
    super(reason.code)
    this.reason = reason
    this.bytes = bytes
  }
}

const MEGABYTE = 1024 * 1024

export const tooLarge = (bytes: number) =>
  new Rejected(
    {
      code: 'too_large',
      sentence: `This file is larger than ${MAX_FILE_BYTES / MEGABYTE} MB. Please send it in shorter parts.`,
    },
    bytes,
  )
export const empty = () =>
  new Rejected({ code: 'empty_file', sentence: 'This file is empty. Please record or attach it again.' })
export const notMedia = (bytes: number) =>
  new Rejected(
    {
      code: 'not_audio_or_video',
      sentence:
        'This file is neither audio nor video. Send MP3, WAV, FLAC, M4A, AAC, OGG, MP4, MPEG or WEBM.',
    },
    bytes,
  )
export const noLongerThere = () =>
  new Rejected({
    code: 'media_gone',
    sentence: 'WhatsApp no longer has this file. Please send it again.',
  })
export const DOWNLOAD_FAILED: Reason = {
  code: 'download_failed',
  sentence: 'We could not download this file from WhatsApp. Please send it again.',
}

/** Our credentials do not work any more: people must act, trying again does not help for long. */
export class TokenRefused extends Error {
  override name = 'TokenRefused'
}
/** The file is not the one that was announced. */
export class WrongFile extends Error {
  override name = 'WrongFile'
}
