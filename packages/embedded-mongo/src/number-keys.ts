import { type Decimal128, Double, Int32, Long } from 'bson'

/**
 * Numbers of all four BSON types as bytes whose order is their numeric order, exact even where a double is not:
 * the nearest double first, then what is missing to the exact value.
 */
export const numberKey = (value: unknown): Buffer => {
  if (typeof value === 'number') return doubleKey(value)
  if (value instanceof Int32 || value instanceof Double) return doubleKey(value.value)
  if (typeof value === 'bigint') return exactKey(value, 0)
  if (value instanceof Long) return exactKey(value.toBigInt(), 0)
  return decimalKey((value as Decimal128).toString())
}

const exactDouble = Buffer.from([0x80])

const doubleKey = (value: number): Buffer => Buffer.concat([orderedDouble(value), exactDouble])

/** The sign bit is flipped for positive numbers, all bits for negative ones: then bytes sort as numbers do. */
const orderedDouble = (value: number): Buffer => {
  const bytes = Buffer.alloc(8)
  if (Number.isNaN(value)) return bytes // MongoDB puts NaN before every number
  bytes.writeDoubleBE(value === 0 ? 0 : value)
  if (bytes[0]! & 0x80) for (let i = 0; i < 8; i++) bytes[i] = ~bytes[i]! & 0xff
  else bytes[0] = bytes[0]! | 0x80
  return bytes
}

const decimalKey = (text: string): Buffer => {
  const match = /^(-?)(\d+)(?:\.(\d*))?(?:E([+-]?\d+))?$/i.exec(text)
  if (!match) return doubleKey(text === 'NaN' ? Number.NaN : text.startsWith('-') ? -Infinity : Infinity)
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction) * (sign ? -1n : 1n)
  return exactKey(digits, Number(exponent) - fraction.length)
}

/** `digits` × 10^`exponent` */
const exactKey = (digits: bigint, exponent: number): Buffer => {
  const nearest = clampFinite(Number(`${digits}e${exponent}`))
  const double = decimalOf(nearest)
  const scale = Math.min(exponent, double.exponent)
  const rest =
    digits * 10n ** BigInt(exponent - scale) - double.digits * 10n ** BigInt(double.exponent - scale)
  return Buffer.concat([orderedDouble(nearest), rest === 0n ? exactDouble : restKey(rest, scale)])
}

const clampFinite = (value: number) => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value))

/** Every double is a whole number times a power of two, so it has a finite decimal form. */
const decimalOf = (value: number): { digits: bigint; exponent: number } => {
  if (value === 0) return { digits: 0n, exponent: 0 }
  let exponent = 0
  let mantissa = value
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2
    exponent -= 1
  }
  return { digits: BigInt(mantissa) * 5n ** BigInt(-exponent), exponent }
}

/** Sign, magnitude of the first digit, digits; inverted for negative rests. */
const restKey = (rest: bigint, scale: number): Buffer => {
  const text = (rest < 0n ? -rest : rest).toString()
  const digits = text.replace(/0+$/, '')
  const magnitude = Buffer.alloc(2)
  magnitude.writeUInt16BE(scale + text.length + 32_768)
  const body = Buffer.concat([magnitude, Buffer.from(digits, 'latin1'), Buffer.from([0])])
  if (rest > 0n) return Buffer.concat([Buffer.from([0xff]), body])
  return Buffer.concat([Buffer.from([0x00]), body.map(byte => ~byte & 0xff)])
}
