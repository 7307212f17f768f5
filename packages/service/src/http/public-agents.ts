import { lookup } from 'node:dns/promises'
import http from 'node:http'
import https from 'node:https'
import { BlockList, connect, isIPv6, type TcpNetConnectOpts } from 'node:net'

/** Networks that, by IANA's registries, aren't on the internet, are for examples, or lead inside (6to4, Teredo). */
const INTERNAL_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const
const INTERNAL_IPV6 = [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['64:ff9b:1::', 48],
  ['100::', 63],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const

const internal = new BlockList()
for (const [network, bits] of INTERNAL_IPV4) {
  internal.addSubnet(network, bits)
  // A NAT64 translator would reach it by its IPv6 form; BlockList recognizes `::ffff:10.0.0.1` itself.
  internal.addSubnet(`64:ff9b::${network}`, 96 + bits, 'ipv6')
}
for (const [network, bits] of INTERNAL_IPV6) internal.addSubnet(network, bits, 'ipv6')

/** Whether an address is private, loopback, link-local, or otherwise not on the internet. */
export const isInternal = (address: string): boolean =>
  internal.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Needed because Node's https agent doesn't pass a block list on to the connection. */
class PublicHttpsAgent extends https.Agent {
  override createConnection(...[options, callback]: Parameters<https.Agent['createConnection']>) {
    const { host, port, lookup } = options as TcpNetConnectOpts
    const socket = connect({ host, port, lookup, blockList: internal })
    return super.createConnection({ ...options, socket } as typeof options, callback)
  }
}

/** Agents that connect only to the internet. Checked at the connection, whatever a redirect or a name leads to. */
export const publicAgents = {
  httpAgent: new http.Agent({ blockList: internal } as http.AgentOptions),
  httpsAgent: new PublicHttpsAgent(),
}

/** Returns agents for addresses from a provider: internet only, unless the provider itself is on a private network. */
export async function agentsFor(provider: string): Promise<Partial<typeof publicAgents>> {
  const host = new URL(provider).hostname.replace(/^\[|\]$/g, '')
  const addresses = await lookup(host, { all: true })
  return addresses.some(({ address }) => isInternal(address)) ? {} : publicAgents
}
