import { type Reason, reason } from '@voxscribe/contracts/reasons'

/** A file that cannot become a note; it is not tried again. `bytes`: declared, or received so far. */
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

export const tooLarge = (bytes: number) => new Rejected(reason('too_large'), bytes)
export const empty = () => new Rejected(reason('empty_file'))
export const notMedia = (bytes: number) => new Rejected(reason('not_audio_or_video'), bytes)
export const noLongerThere = () => new Rejected(reason('media_gone'))
export const DOWNLOAD_FAILED = reason('download_failed')

/** Our credentials no longer work: an operator must act, and retrying won't help for a while. */
export class TokenRefused extends Error {
  override name = 'TokenRefused'
}
/** The file is not the one that was announced. */
export class WrongFile extends Error {
  override name = 'WrongFile'
}
