import type { Reason } from '@voxscribe/contracts/reasons'

/** Something is not possible for now: it is to be tried again after that many milliseconds. */
export class NotNow extends Error {
  override name = 'NotNow'
  readonly afterMs: number
  constructor(message: string, afterMs: number, options?: ErrorOptions) {
    super(message, options)
    this.afterMs = afterMs
  }
}

/** An engine is there no more, as its model cannot be loaded: the next one serves. */
export class EngineGone extends Error {
  override name = 'EngineGone'
}

/** A note cannot be transcribed, whatever we do: it fails with the reason, and is not tried again. */
export class Unworkable extends Error {
  override name = 'Unworkable'
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason.code)
    this.reason = reason
  }
}
