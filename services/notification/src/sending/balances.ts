import { api, type Balance } from '@voxscribe/contracts/http'
import { callPeer } from '@voxscribe/service/peers'

/** An answer does not wait longer for a figure. */
const PATIENCE_MS = 1_000

/** Asks billing for an account's minutes, as they are when a note's answer is sent; null when it does not tell. */
export const createBalances =
  (billingUrl: string) =>
  async (userId: string, note: string, seconds: number): Promise<Balance | null> => {
    const query = { userId, note, seconds }
    const answer = await callPeer(billingUrl, api.balance, { query }, { timeout: PATIENCE_MS })
    return answer?.body.success ? answer.body.data : null
  }
