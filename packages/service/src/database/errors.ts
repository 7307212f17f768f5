import mongoose from 'mongoose'

const { mongo } = mongoose
const NOT_REACHED = [
  mongo.MongoClientClosedError,
  mongo.MongoNetworkError,
  mongo.MongoNotConnectedError,
  mongo.MongoServerSelectionError,
  mongo.MongoTopologyClosedError,
]
/** Codes from MongoDB's error_codes.yml for a replica set between two primaries, or a server that is shutting down. */
const NOT_SERVING = new Set([6, 7, 89, 91, 189, 9001, 10107, 11600, 11602, 13435, 13436])
/** Whether an error means that the database can't be reached. */
export const isDatabaseAway = (error: unknown): boolean =>
  NOT_REACHED.some(kind => error instanceof kind) ||
  (error instanceof mongo.MongoServerError && NOT_SERVING.has(Number(error.code)))

/** Codes of MongoDB (OutOfDiskSpace) and of the system, for a full disk or a user's quota. */
const DISK_FULL = [14031, 'ENOSPC', 'EDQUOT']
/** Whether an error means that the database or the file system has no room; the store of files wraps its errors. */
export function isDiskFull(error: unknown): boolean {
  const { code, cause } = error as { code?: string | number; cause?: unknown }
  return DISK_FULL.includes(code ?? '') || (cause instanceof Error && cause !== error && isDiskFull(cause))
}

/**
 * Whether a write hit an existing unique key; with `field`, whether it was that one, or may have been: not every
 * MongoDB-compatible server says which.
 */
export function isDuplicateKey(error: unknown, field?: string): boolean {
  if (!(error instanceof mongo.MongoServerError) || error.code !== 11000) return false
  return !field || !error.keyPattern || Object.keys(error.keyPattern).join() === field
}
