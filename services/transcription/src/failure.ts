import type { Reason } from '@voxscribe/contracts/reasons'

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
