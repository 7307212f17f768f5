import type { LookupAddress } from 'node:dns'
import { lookup, Resolver } from 'node:dns/promises'

const TRY_MS = 3_000
const TRIES = 2

/**
 * Returns a function that resolves names with queries made by this process. The system's resolver has two threads for
 * all names, which a person's unresponsive name server would block. Names without a dot belong to this network.
 */
export function createLookup(servers?: string[]) {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  return async (host: string): Promise<[LookupAddress[]]> => {
    if (!host.includes('.')) return [await lookup(host, { all: true })]
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value.map(address => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map(address => ({ address, family: 6 })) : []),
    ]
    if (!addresses.length && four.status === 'rejected') throw four.reason
    return [addresses]
  }
}
