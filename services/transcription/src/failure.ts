import type { Reason } from '@voxscribe/contracts/reasons'
import { Later } from '@voxscribe/messaging'

/** An engine is there no more, as its model cannot be loaded: the next one serves. */
export class EngineGone extends Error {
  override name = 'EngineGone'
}

/** An engine asks to wait: a note that needs it does, others go on. */
export class EngineWaits extends Later {}

/** A note cannot be transcribed, whatever we do: it fails with the reason, and is not tried again. */
export class Unworkable extends Error {
  override name = 'Unworkable'
  readonly reason: Reason
  constructor(reason: Reason) {
    super(reason.code)
    this.reason = reason
  }
}
