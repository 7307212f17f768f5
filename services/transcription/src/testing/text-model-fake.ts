import type { IncomingHttpHeaders } from 'node:http'
import { type Answer, type Answers, startProviderFake } from '@voxscribe/speech/testing'
import { deskWithSphinx } from '../testing.ts'

/** A request, as the model gets it. */
export interface Asked {
  headers: IncomingHttpHeaders
  model: string
  response_format: { type: string; json_schema?: { name: string; strict: boolean; schema: object } }
  messages: [{ role: 'system'; content: string }, { role: 'user'; content: string }]
}

/** Makes an answer of the model with this content, in OpenAI's shape; content other than a string becomes JSON. */
export const says = (content: unknown): Answer => ({
  body: {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: typeof content === 'string' ? content : JSON.stringify(content),
          refusal: null,
        },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 },
  },
})

/** The data of a request: what people said. */
export const dataOf = ({ messages: [, user] }: Asked) => JSON.parse(user.content)

/** Starts a server that implements `POST /chat/completions`. */
export async function startTextModelFake() {
  const answers: Answers<Asked>[] = []
  const { received: asked, ...server } = await startProviderFake<Asked>(
    (headers, body) => ({ headers, ...JSON.parse(body.toString()) }),
    answers,
  )
  return {
    ...server,
    asked,
    /** Sets the answers from now on. */
    answers(...next: Answers<Asked>[]): void {
      answers.splice(0, answers.length, ...next)
      asked.length = 0
    },
  }
}

export type Note = Record<'id' | 'userId', string>

/** Starts the service with such a server. `complete` makes each note for another person, so that no limit is shared. */
export async function deskWithTextModel(settings = {}) {
  const fake = await startTextModelFake()
  afterAll(() => fake.stop())
  const models = { TEXT_MODEL: 'small-1', TEXT_BASE_URL: fake.baseUrl }
  const { desk, note, ...rest } = await deskWithSphinx({ ...models, ...settings })
  let people = 0
  async function complete(facts = {}): Promise<Note> {
    const userId = `reader-${people++}`
    const { id } = await desk.complete(note, { userId, ...facts })
    return { id, userId }
  }
  return { fake, desk, complete, ...rest }
}
