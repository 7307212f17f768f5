import type { Model, QueryFilter } from 'mongoose'
import { isDuplicateKey } from './errors.ts'
import { handOver } from './outbox.ts'

// Each function is a single write that any number of replicas may make at once, or repeat after a crash.

interface WithId {
  _id: string
}

/** Inserts a document unless its id exists. Returns whether it was new. */
export async function insertOnce<T extends WithId>(model: Model<T>, document: T): Promise<boolean> {
  // Bypasses mongoose's documents, which cost more than the write itself. Like them, keeps only the schema's fields.
  const kept = Object.entries(document).filter(([name]) => name in model.schema.paths)
  try {
    await model.collection.insertOne(Object.fromEntries(kept) as never, { ignoreUndefined: true })
  } catch (error) {
    if (!isKnownId(error)) throw error
    return false
  }
  handOver(model, document)
  return true
}

/**
 * Writes the given fields of a document unless the stored one is as new or newer; `field` holds the age. `first` is
 * only written to a new document. Returns whether the given one was the newest.
 */
export function keepNewest<T extends WithId, F extends keyof T & string>(
  model: Model<T>,
  field: F,
  { _id, ...set }: WithId & Pick<T, F> & Partial<T>,
  first?: Partial<T>,
): Promise<boolean> {
  const older = { [field]: { $lt: (set as Partial<T>)[field] } }
  return claimOnce(model, { _id, ...set } as unknown as T, older as QueryFilter<T>, first)
}

/**
 * Writes a claim if there is none, or if the existing one matches `mayTake`. `first` is only written to a new claim.
 * Returns whether the claim is ours.
 */
export async function claimOnce<T extends WithId>(
  model: Model<T>,
  { _id, ...set }: T,
  mayTake: QueryFilter<T>,
  first?: Partial<T>,
): Promise<boolean> {
  const filter = { ...mayTake, _id } as QueryFilter<T>
  const update = { $set: set, ...(first && { $setOnInsert: first }) } as never
  try {
    await model.updateOne(filter, update, { upsert: true })
    return true
  } catch (error) {
    if (!isKnownId(error)) throw error
    // A claim exists: either the condition refused it, or it was made just now and hasn't been compared yet.
    const { matchedCount } = await model.updateOne(filter, { $set: set } as never)
    return matchedCount === 1
  }
}

/** Only the id may exist already: a duplicate of another unique key belongs to another document. */
const isKnownId = (error: unknown): boolean => isDuplicateKey(error, '_id')

/**
 * Writes a document with the first free place, which is unique in its collection: there are never more documents than
 * places, however many calls come at once. Returns null if no place is free.
 */
export async function inFreePlace<Place, Written>(
  places: readonly Place[],
  taken: () => Promise<(Place | undefined)[]>,
  write: (place: Place) => Promise<Written>,
): Promise<Written | null> {
  const known = new Set(await taken())
  const place = places.find(each => !known.has(each))
  if (place === undefined) return null
  try {
    return await write(place)
  } catch (error) {
    // Another call took the place first.
    if (isDuplicateKey(error)) return inFreePlace(places, taken, write)
    throw error
  }
}
