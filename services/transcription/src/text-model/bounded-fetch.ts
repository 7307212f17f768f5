/** Ten times an answer of a few hundred lines. */
const BYTES_MAX = 1_000_000

/** As `fetch`, but an answer of more than a million bytes is broken off with an error. */
export const boundedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  let bytes = 0
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes > BYTES_MAX) controller.error(new Error('The text model’s answer is too long'))
      else controller.enqueue(chunk)
    },
  })
  return new Response(response.body?.pipeThrough(counted), response)
}
