import { i18n } from '../language/i18n.ts'
import { figure } from '../ui/figures.ts'

const SHOWN = 8

/** Names of the people of a chat. Each is isolated: beside one of another script it would change its place. */
export function namesOf(people: readonly { name: string }[]): string {
  const names = people.slice(0, SHOWN).map(({ name }) => `\u2068${name}\u2069`)
  if (people.length > SHOWN) names.push(`+${figure(people.length - SHOWN)}`)
  return new Intl.ListFormat(i18n.locale).format(names)
}
