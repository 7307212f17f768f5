import { randomUUID } from 'node:crypto'
import { type ChatProvider, derivedId, MessageFailed } from '@voxscribe/contracts/events'
import { currentTrace } from '@voxscribe/service'
import type { Receipts } from '../senders/receipts.ts'

/** One of our messages that the provider could not deliver. */
export interface FailedMessage {
  /** The provider's id. */
  id: string
  code: string
}

export type ReportFailure = (channel: ChatProvider, message: FailedMessage) => Promise<void>

/** Publishes the failure of one of our messages, once for each message. */
export function createReportFailure(receipts: Receipts): ReportFailure {
  return async (channel, { id: messageId, code }) => {
    const _id = `${channel}:failed:${messageId}`
    const traceId = currentTrace() ?? randomUUID()
    const failed = MessageFailed.create(
      { channel, messageId, code },
      { id: derivedId('message-failed', _id), traceId },
    )
    const source = { channel, address: messageId, messageId }
    await receipts.add({ _id, keys: [], source, traceId, media: [] }, null, false, [failed])
  }
}
