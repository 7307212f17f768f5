import { createHmac, timingSafeEqual } from 'node:crypto'

/** A form; a name that is repeated has a list. */
export type Form = Record<string, string | string[]>

/**
 * Returns what Twilio puts into `X-Twilio-Signature`: the address that it was given, then each parameter's name and
 * value, by name; of a repeated one each different value, in order (twilio.com/docs/usage/security).
 */
export function twilioSignature(token: string, url: string, form: Form): string {
  const fields = Object.keys(form)
    .sort()
    .map(name => [...new Set([form[name]!].flat())].sort().map(value => name + value))
  return createHmac('sha1', token)
    .update(url + fields.flat().join(''), 'utf8')
    .digest('base64')
}

/** Twilio signs the address with or without the standard port, however it was written in its settings. */
export function isTwilioSignature(token: string, given: string, url: string, form: Form): boolean {
  const { protocol, hostname, port, pathname, search } = new URL(url)
  const standard = protocol === 'https:' ? '443' : '80'
  const withPort = `${protocol}//${hostname}:${port || standard}${pathname}${search}`
  const withoutPort = `${protocol}//${hostname}${pathname}${search}`
  const mine = Buffer.from(given)
  return [url, withPort, withoutPort].some(address => {
    const expected = Buffer.from(twilioSignature(token, address, form))
    return expected.length === mine.length && timingSafeEqual(expected, mine)
  })
}
