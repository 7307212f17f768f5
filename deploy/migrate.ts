import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { SERVICES } from '@voxscribe/contracts/events'

// `npm run migrate`: creates the indexes and queues of all services, by their settings, before a new version is
// started. An image does it for its own service: `node start.mjs migrate`. `npm start` needs neither.

for (const service of SERVICES.filter(name => name !== 'gateway')) {
  const main = join(import.meta.dirname, `../services/${service}/src/main.ts`)
  const { status } = spawnSync(process.execPath, [main, 'migrate'], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
