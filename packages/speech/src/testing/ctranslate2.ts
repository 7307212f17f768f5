interface Tensor {
  name: string
  dimensions: number[]
  values: number[]
}

function text(written: string): Buffer {
  const bytes = Buffer.from(`${written}\0`)
  return Buffer.concat([Buffer.from(Uint16Array.of(bytes.length).buffer), bytes])
}
const numbers = (...each: number[]) => Buffer.from(Uint32Array.from(each).buffer)

/** Returns a float16 model with these tensors, in CTranslate2's format. */
export const modelOf = (tensors: Tensor[]): Buffer =>
  Buffer.concat([
    numbers(6),
    text('WhisperSpec'),
    numbers(3, tensors.length),
    ...tensors.flatMap(({ name, dimensions, values }) => [
      text(name),
      Buffer.of(dimensions.length),
      numbers(...dimensions),
      Buffer.of(4),
      numbers(2 * values.length),
      Buffer.from(Float16Array.from(values).buffer),
    ]),
  ])
