/** Largest weight of 7 bits: the sum of two products with a byte fits into 16 bits, as CPUs without VNNI require. */
const LARGEST = 63
const ALIGNED = 64

interface Tensor {
  name: string
  dimensions: number[]
  data: Buffer
}

/** Yields the tensors of a CTranslate2 model (binary version 6), in order. */
function* tensorsIn(model: Buffer): Generator<Tensor> {
  let at = 4
  const text = () => {
    const length = model.readUInt16LE(at)
    at += 2 + length
    return model.toString('utf8', at - length, at - 1)
  }
  text()
  const tensors = model.readUInt32LE(at + 4)
  at += 8
  for (let read = 0; read < tensors; read++) {
    const name = text()
    const rank = model.readUInt8(at)
    const dimensions = Array.from({ length: rank }, (_, index) => model.readUInt32LE(at + 1 + 4 * index))
    at += 2 + 4 * rank
    const bytes = model.readUInt32LE(at)
    at += 4 + bytes
    yield { name, dimensions, data: model.subarray(at - bytes, at) }
  }
}

/** Layers whose inputs vary too much for bytes: with small weights they recognize other words. */
const WIDE = /ffn\/linear_1|^encoder\/.*self_attention/

const isSmall = ({ name, dimensions }: Tensor) =>
  dimensions.length === 2 && name.endsWith('weight') && !WIDE.test(name)

/** Returns a matrix's columns as rows with 7-bit values, and a scale for each of its rows. */
function smallOf({ dimensions: [rows = 0, columns = 0], data }: Tensor): [Uint8Array, Uint8Array] {
  const weights = new Float16Array(Uint8Array.from(data).buffer)
  const small = new Int8Array(rows * columns)
  const scales = new Float32Array(rows)
  for (let row = 0; row < rows; row++) {
    const start = row * columns
    let most = 0
    for (let at = start; at < start + columns; at++) most = Math.max(most, Math.abs(weights[at]!))
    const scale = Math.fround(most / LARGEST) || 1
    scales[row] = scale
    for (let column = 0; column < columns; column++)
      small[column * rows + row] = Math.round(weights[start + column]! / scale)
  }
  return [new Uint8Array(small.buffer), new Uint8Array(scales.buffer)]
}

/**
 * Converts the float16 weights of a CTranslate2 model to the layout of our graphs: half the size, each tensor at a
 * multiple of 64 bytes, most matrices as bytes followed by their scales.
 */
export function smallWeightsOf(model: Buffer): Buffer {
  const parts: Uint8Array[] = []
  for (const tensor of tensorsIn(model)) {
    if (!tensor.dimensions.length) continue
    for (const part of isSmall(tensor) ? smallOf(tensor) : [tensor.data])
      parts.push(part, new Uint8Array(-part.length & (ALIGNED - 1)))
  }
  return Buffer.concat(parts)
}
