// Preloaded into a system (`--import`): writes the name of each file that it syncs to disk, one per line, to the file
// in SYNCS_FILE. Misses syncs inside SQLite, which occasionally copies its log.
import fs from 'node:fs'
import { open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

const { SYNCS_FILE = '' } = process.env
const count = fd => {
  const target = fs.readlinkSync(`/proc/self/fd/${fd}`)
  fs.appendFileSync(SYNCS_FILE, `${fs.fstatSync(fd).isDirectory() ? 'folder' : basename(target)}\n`)
}
for (const name of ['fsync', 'fdatasync', 'fsyncSync', 'fdatasyncSync']) {
  const sync = fs[name]
  fs[name] = (fd, ...rest) => {
    count(fd)
    return sync(fd, ...rest)
  }
}
syncBuiltinESMExports()

const handle = await open(SYNCS_FILE, 'a')
const { sync, datasync } = Object.getPrototypeOf(handle)
Object.assign(Object.getPrototypeOf(handle), {
  sync() {
    count(this.fd)
    return sync.call(this)
  },
  datasync() {
    count(this.fd)
    return datasync.call(this)
  },
})
await handle.close()
