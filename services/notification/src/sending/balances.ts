import { api, type Balance } from '@voxscribe/contracts/http'
import { callPeer } from '@voxscribe/service/peers'

/** A reply doesn't wait longer for the balance. */
const TIMEOUT_MS = 1_000

/** Reads an account's minutes from billing when a note's reply is sent; null if billing doesn't respond. */
export const createBalances =
  (billingUrl: string) =>
  async (userId: string, note: string, seconds: number): Promise<Balance | null> => {
    const query = { userId, note, seconds }
    const answer = await callPeer(billingUrl, api.balance, { query }, { timeout: TIMEOUT_MS })
    return answer?.body.success ? answer.body.data : null
  }
