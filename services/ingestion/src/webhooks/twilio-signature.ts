import { createHmac } from 'node:crypto'
import { isSame } from './signed.ts'

/** A form; a repeated name has a list. */
export type Form = Record<string, string | string[]>

/**
 * Returns the value of `X-Twilio-Signature`: over the configured address, then each parameter's name and value, sorted by
 * name; a repeated one with each distinct value, sorted (twilio.com/docs/usage/security).
 */
export function twilioSignature(token: string, url: string, form: Form): string {
  const fields = Object.keys(form)
    .sort()
    .map(name => [...new Set([form[name]!].flat())].sort().map(value => name + value))
  return createHmac('sha1', token)
    .update(url + fields.flat().join(''), 'utf8')
    .digest('base64')
}

/** Checks a signature; Twilio signs the address with or without the standard port. */
export function isTwilioSignature(token: string, given: string, url: string, form: Form): boolean {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  const standard = protocol === 'https:' ? '443' : '80'
  const withPort = `${protocol}//${hostname}:${port || standard}${pathname}${search}`
  const withoutPort = `${protocol}//${hostname}${pathname}${search}`
  const addresses = [url, withPort, withoutPort]
  return addresses.some(address => isSame(given, twilioSignature(token, address, form)))
}
