import { type Answer, api, type DataOf } from '@voxscribe/contracts/http'
import { Problem, refusal } from '@voxscribe/service'
import axios from 'axios'

const PATIENCE_MS = 10_000

/** Asks transcription about a file of a conversation. Throws its refusal, or 503 while it is away. */
export const createConversationFiles =
  (transcriptionUrl: string) =>
  async (
    userId: string,
    conversation: string,
    file: string,
  ): Promise<DataOf<typeof api.conversationFile>> => {
    const { data: answer, status } = await axios
      .get<Answer<DataOf<typeof api.conversationFile>>>(`${transcriptionUrl}${api.conversationFile.path}`, {
        params: { userId, conversation, file },
        timeout: PATIENCE_MS,
        proxy: false,
        validateStatus: () => true,
      })
      .catch(() => {
        throw refusal('unavailable')
      })
    if (answer.success) return answer.data
    if (status >= 500) throw refusal('unavailable')
    const { code, message, errors } = answer
    throw new Problem(status, code, message, { errors })
  }
