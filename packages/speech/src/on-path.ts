import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Looks for an executable on the PATH. */
export function onPath(name: string): string | undefined {
  const places = name.includes('/')
    ? [name]
    : (process.env.PATH ?? '').split(delimiter).map(place => join(place, name))
  return places.find(place => {
    try {
      accessSync(place, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
