import { isIPv6 } from 'node:net'

/**
 * Returns what counts as one caller: an IPv4 address, or the /64 network of an IPv6 address. A subscriber
 * has at least a whole /64 (RFC 6177), so single IPv6 addresses would be no limit at all.
 */
export function networkOf(address: string): string {
  const plain = address.split('%')[0] ?? ''
  if (!isIPv6(plain)) return plain
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1]
  if (mapped) return mapped
  const [left = [], right] = plain.split('::').map(part => part.split(':').filter(Boolean))
  const zeros = right ? Array(8 - left.length - right.length).fill('0') : []
  const groups = [...left, ...zeros, ...(right ?? [])].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
