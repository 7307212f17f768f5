import type { Pagination } from '@voxscribe/contracts/http'
import type { Model, QueryFilter } from 'mongoose'

export interface Page {
  /** From 1. */
  page: number
  limit: number
}

/** Returns a page of documents, newest first. `newest`: documents that aren't stored yet and come before all others. */
export async function pageOf<T extends { at: Date }>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { page, limit }: Page,
  newest: T[] = [],
): Promise<{ found: T[]; pagination: Pagination }> {
  const stored = model
    .find(filter)
    .sort({ at: -1, _id: -1 })
    .skip(Math.max(0, (page - 1) * limit - newest.length))
    .limit(limit)
    .lean<T[]>()
  const [rows, count] = await Promise.all([stored, model.countDocuments(filter)])
  const total = count + newest.length
  const found = page === 1 ? [...newest, ...rows].slice(0, limit) : rows
  return { found, pagination: { page, limit, total, totalPages: Math.ceil(total / limit) } }
}
