import { isIPv6 } from 'node:net'

/** Matches an address followed by a port, as some proxies write it. */
const WITH_PORT = /^(?:\[(?<v6>.+)\](?::\d+)?|(?<v4>[\d.]+):\d+)$/

/** Identifies a caller by IPv4 address, or by /64 network in IPv6, the least a subscriber gets (RFC 6177). */
export function networkOf(written: string): string {
  const { v4, v6 } = WITH_PORT.exec(written)?.groups ?? {}
  const address = v4 ?? v6 ?? written
  const plain = address.split('%')[0] ?? ''
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped) return mapped
  const [left = [], right] = plain.split('::').map(part => part.split(':').filter(Boolean))
  const zeros = right ? Array(8 - left.length - right.length).fill('0') : []
  const groups = [...left, ...zeros, ...(right ?? [])].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
