import type { CompiledMessage } from '@lingui/message-utils/compileMessage'

/** Ends an id with its context, if one English text has two meanings. Translators see it, readers don't. */
const CONTEXT = /\|[\w ]+$/

/**
 * Compiles a message for Lingui: `{name}`, and plurals `{count, plural, one {# note} other {# notes}}`. Lingui's own
 * parser supports all of ICU's syntax, and takes 6 of the 110 kB that the landing page may load.
 */
export const compile = (message: string): CompiledMessage => compilePart(message.replace(CONTEXT, ''))

function compilePart(message: string): CompiledMessage {
  const tokens: CompiledMessage = []
  for (let at = 0; at < message.length; ) {
    const opening = message.indexOf('{', at)
    const text = message.slice(at, opening < 0 ? undefined : opening)
    tokens.push(...text.split(/(#)/).filter(Boolean))
    if (opening < 0) break
    at = closingOf(message, opening) + 1
    tokens.push(argument(message.slice(opening + 1, at - 1)))
  }
  return tokens
}

function argument(inside: string): CompiledMessage[number] {
  const [, name = inside, branches] = /^(\w+), plural,(.*)$/s.exec(inside) ?? []
  if (branches === undefined) return [name.trim()]
  const compiled: Record<string, CompiledMessage> = {}
  for (let rest = branches.trim(); rest; ) {
    const opening = rest.indexOf('{')
    if (opening < 0) throw new Error(`A plural that is not closed: {${inside}}`)
    const closing = closingOf(rest, opening)
    compiled[rest.slice(0, opening).trim()] = compilePart(rest.slice(opening + 1, closing))
    rest = rest.slice(closing + 1).trim()
  }
  return [name, 'plural', compiled]
}

/** Returns the index of the brace that closes the one at `opening`; the end if there is none. */
function closingOf(text: string, opening: number): number {
  let depth = 0
  for (let at = opening; at < text.length; at++) {
    depth += Number(text[at] === '{') - Number(text[at] === '}')
    if (depth === 0) return at
  }
  return text.length
}
