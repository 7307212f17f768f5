import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** File that marks a folder while a copy into it is incomplete. */
export const UNFINISHED = 'copy-unfinished'

/** Whether a folder has incomplete data because the backup or restore into it was killed. */
export const isUnfinished = (folder: string): boolean => existsSync(join(folder, UNFINISHED))
