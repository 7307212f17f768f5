/** Bytes kept of a refusal: a provider's error page may have megabytes, of which only the beginning is ever read. */
export const REFUSAL_BYTES_MAX = 64 * 1024

/** Creates a `fetch` for a provider's calls: fails on answers of more than `bytesMax`, and cuts refusals at 64 kB. */
export const boundedFetch =
  (bytesMax: number): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const { body, ok } = response
    if (!body) return response
    let left = ok ? bytesMax : REFUSAL_BYTES_MAX
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (chunk.byteLength <= left || !ok) controller.enqueue(chunk.subarray(0, left))
        left -= chunk.byteLength
        if (left < 0 && ok) controller.error(new Error('The answer of the provider is too long'))
        if (left <= 0 && !ok) controller.terminate()
      },
    })
    return new Response(body.pipeThrough(bounded), response)
  }
