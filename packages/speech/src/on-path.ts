import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Returns the path of an executable on the PATH; undefined if there is none. */
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
