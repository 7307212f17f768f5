import { serve } from '@voxscribe/messaging/testing'

/** Starts a speech service with OpenAI's protocol: answers each call with `text` after `delayMs`, and counts calls. */
export async function startCountingEngine(
  delayMs: number,
  text = 'It was the season of light.',
  address = '127.0.0.1',
) {
  let calls = 0
  let held = Promise.resolve()
  let heldFrom = 0
  let refused: string | undefined
  const server = await serve(async (request, response) => {
    for await (const _chunk of request);
    calls += 1
    if (calls > heldFrom) await held
    if (refused) {
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': refused })
      return response.end(JSON.stringify({ error: { message: 'Rate limit reached', type: 'requests' } }))
    }
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ text, usage: { type: 'duration', seconds: 6 } }))
    }, delayMs)
  }, address)
  return {
    /** Settings that make it a system's engine. */
    settings: {
      SPEECH_ENGINE: 'openai',
      OPENAI_API_KEY: 'sk-counting',
      OPENAI_BASE_URL: `${server.url}/v1`,
    },
    calls: () => calls,
    /** Holds all calls after the next `after` until the returned function is called. */
    hold(after = 0): () => void {
      heldFrom = calls + after
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return resolve
    },
    /** Refuses calls, with `forSeconds` as the time to retry; undefined: answers them again. */
    refuse(forSeconds?: number): void {
      refused = forSeconds?.toString()
    },
    stop: server.stop,
  }
}
