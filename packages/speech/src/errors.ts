import type { Reason } from '@voxscribe/contracts/reasons'

/** Something isn't possible now and should be retried after `afterMs` milliseconds. */
export class NotNow extends Error {
  override name = 'NotNow'
  readonly afterMs: number
  constructor(message: string, afterMs: number, options?: ErrorOptions) {
    super(message, options)
    this.afterMs = afterMs
  }
}

/** An engine is no longer available, because its model can't be loaded: the next engine serves. */
export class EngineGone extends Error {
  override name = 'EngineGone'
}

/** A note can never be transcribed: it fails with the reason, and isn't retried. */
export class Unworkable extends Error {
  override name = 'Unworkable'
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason.code)
    this.reason = reason
  }
}
