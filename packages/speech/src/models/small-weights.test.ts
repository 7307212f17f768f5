import { modelOf } from '../testing/ctranslate2.ts'
import { smallWeightsOf } from './small-weights.ts'

const matrix = (name: string) => ({ name, dimensions: [2, 3], values: [1, -0.5, 0.25, 0, 0, 0] })

/** The tensors, each at a multiple of 64 bytes. */
const pieces = (made: Buffer) =>
  Array.from({ length: made.length / 64 }, (_, at) => Uint8Array.from(made.subarray(64 * at, 64 * at + 64)))

test('when weights are made smaller, then the columns of a matrix are bytes of 7 bits, with a scale a row behind them', () => {
  const [bytes, scales, ...more] = pieces(smallWeightsOf(modelOf([matrix('encoder/linear/weight')])))
  expect([...new Int8Array(bytes!.buffer, 0, 6)]).toEqual([63, 0, -31, 0, 16, 0])
  expect([...new Float32Array(scales!.buffer, 0, 2)]).toEqual([Math.fround(1 / 63), 1])
  expect(more).toEqual([])
})

test('when a tensor is a vector, an encoding or a second layer, then it stays, and a setting goes', () => {
  const setting = { name: 'encoder/num_heads', dimensions: [], values: [8] }
  const vector = { name: 'encoder/linear/bias', dimensions: [3], values: [1, 2, 3] }
  const kept = [vector, matrix('encoder/position/encodings'), matrix('decoder/layer_0/ffn/linear_1/weight')]
  const made = pieces(smallWeightsOf(modelOf([setting, ...kept])))
  expect(made.map(({ buffer }, at) => [...new Float16Array(buffer, 0, kept[at]?.values.length)])).toEqual(
    kept.map(({ values }) => values),
  )
})

test('when the file ends early, then an error is thrown', () => {
  const model = modelOf([matrix('encoder/linear/weight')])
  expect(() => smallWeightsOf(model.subarray(0, 40))).toThrow(/out of range/)
})
