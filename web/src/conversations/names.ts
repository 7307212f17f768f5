import { i18n } from '../language/i18n.ts'
import { figure } from '../ui/figures.ts'

const SHOWN = 8

/** Joins the names of a chat's people. Each name is isolated, so that one in another script keeps its place. */
export function namesOf(people: readonly { name: string }[]): string {
  const names = people.slice(0, SHOWN).map(({ name }) => `\u2068${name}\u2069`)
  if (people.length > SHOWN) names.push(`+${figure(people.length - SHOWN)}`)
  return new Intl.ListFormat(i18n.locale).format(names)
}
