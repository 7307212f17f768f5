import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { startRabbitServer } from '@voxscribe/messaging/testing'
import { newDataDir } from '../testing/system.ts'

// Makes the exchanges and queues that the upgrade test starts beside, by having version 0.1.0 make its own:
//   git worktree add /tmp/v010 4da9e86 && (cd /tmp/v010 && npm ci)
//   node --disable-warning=ExperimentalWarning e2e/upgrade/make-queues.ts /tmp/v010

const [old = ''] = process.argv.slice(2)
const of = async (path: string) => import(pathToFileURL(join(old, path)).href)
const { flow } = await of('packages/contracts/src/wire/events.ts')
const { connectRabbitBus } = await of('packages/messaging/src/rabbit/rabbit.ts')

const rabbit = await startRabbitServer()
if (!rabbit) throw new Error('RabbitMQ is not installed')
const log = { info() {}, warn() {}, error: console.error }
await (await connectRabbitBus({ url: rabbit.url, topology: flow, log })).close()
const exported = join(await newDataDir(), 'definitions.json')
await rabbit.control('export_definitions', exported)
await rabbit.stop()
// No users: the broker of the test has its own.
const { vhosts, exchanges, queues, bindings } = JSON.parse(readFileSync(exported, 'utf8'))
const left = { vhosts, exchanges, queues, bindings }
writeFileSync(join(import.meta.dirname, 'v010-queues.json'), `${JSON.stringify(left, null, 2)}\n`)
