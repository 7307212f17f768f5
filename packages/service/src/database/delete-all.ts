import type { Model, QueryFilter } from 'mongoose'

const DELETED_AT_ONCE = 100

/** Deletes all documents of a filter, some at a time: the calls of others come in between. */
export async function deleteAll<T extends { _id: string }>(
  model: Model<T>,
  filter: QueryFilter<T>,
): Promise<void> {
  for (;;) {
    const found = await model.find(filter, { _id: 1 }).limit(DELETED_AT_ONCE).lean<{ _id: string }[]>()
    if (!found.length) return
    await model.deleteMany({ ...filter, _id: { $in: found.map(({ _id }) => _id) } } as QueryFilter<T>)
  }
}
