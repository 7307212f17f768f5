import type { Request, Response } from 'express'

/** A call with a file is held whole, several times over: as JSON, as bytes, as a form; about 80 MB at most. */
const IN_ALL = 6
const OF_A_PERSON = 2

/** Bounds the calls with a file that this process holds. */
export function createFileRoom() {
  const held = new Map<object, string>()
  /** Takes a place until the response closes; returns false when there is none. */
  return (userId: string, request: Request, response: Response): boolean => {
    const theirs = [...held.values()].filter(each => each === userId)
    if (held.size >= IN_ALL || theirs.length >= OF_A_PERSON) return false
    held.set(request, userId)
    response.once('close', () => held.delete(request))
    return true
  }
}
