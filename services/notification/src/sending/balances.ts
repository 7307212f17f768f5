import { api, Balance } from '@voxscribe/contracts/http'
import axios from 'axios'

/** An answer does not wait longer for a figure. */
const PATIENCE_MS = 1_000

/** Asks billing for an account's minutes, as they are when a note's answer is sent; null when it does not tell. */
export const createBalances =
  (billingUrl: string) =>
  async (userId: string, note: string, seconds: number): Promise<Balance | null> => {
    const asked = axios.get(`${billingUrl}${api.balance.path}`, {
      params: { userId, note, seconds },
      timeout: PATIENCE_MS,
      proxy: false,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    return asked.then(({ data }) => Balance.parse(data.data)).catch(() => null)
  }
