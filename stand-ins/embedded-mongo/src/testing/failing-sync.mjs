import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'

// Preloaded into a process (`--import`) to simulate a failing disk: fdatasync throws from its FAIL_SYNC_AT-th call on.
// The folder DISK keeps the data of the last successful call, which is what a power cut would leave.

const { FAIL_SYNC_AT, DATA, DISK } = process.env
const { fdatasyncSync } = fs
let calls = 0

fs.fdatasyncSync = fd => {
  calls += 1
  if (calls >= Number(FAIL_SYNC_AT))
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })
  fdatasyncSync(fd)
  for (const file of ['embedded-mongo.sqlite', 'embedded-mongo.sqlite-wal'])
    fs.copyFileSync(`${DATA}/${file}`, `${DISK}/${file}`)
}

// Threads of the process use the same disk.
threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    super(file, { ...options, execArgv: [...options.execArgv, '--import', import.meta.url] })
  }
}
syncBuiltinESMExports()
