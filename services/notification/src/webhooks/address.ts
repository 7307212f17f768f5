import { isIP } from 'node:net'
import { invalidField, isInternal } from '@voxscribe/service'

/**
 * Throws 400 for an address that no delivery can reach: one without TLS, or inside our network. A name may lead there
 * as well; that is refused at the connection.
 */
export function refuseInternal(address: string): void {
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:') throw invalidField('url', 'https_needed')
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) ? isInternal(host) : /(^|\.)localhost$/.test(host))
    throw invalidField('url', 'private_address')
}
