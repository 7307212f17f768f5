import { figure } from '../ui/figures.ts'

const SHOWN = 8

/** Names of the people of a chat. Each is isolated: beside one of another script it would change its place. */
export function namesOf(people: readonly { name: string }[]): string {
  const names = people.slice(0, SHOWN).map(({ name }) => `\u2068${name}\u2069`)
  return names.join(', ') + (people.length > SHOWN ? ` +${figure(people.length - SHOWN)}` : '')
}
