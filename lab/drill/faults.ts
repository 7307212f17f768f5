import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '@voxscribe/e2e/testing/eventually.ts'
import { until } from './persist.ts'
import type { Fault, Kind, ProviderRoute, ShopRoute, Way } from './plan.ts'
import type { World } from './world.ts'

export interface Made extends Fault {
  /** Milliseconds since 1970. */
  from: number
  until: number
  /** False if the target was already down, or this machine has none. */
  hit: boolean
}

type Make = (world: World, fault: Fault) => Promise<boolean>

const end =
  (signal: NodeJS.Signals, group = false): Make =>
  ({ processes }, { target, awayMs }) =>
    processes.get(target)!.restart(signal, { group, awayMs })

/** A broker fault later than this is late because the machine is slow. */
const BEHIND_MS = 10_000
/** Pause before a late broker fault, so that the services see a working broker between two faults. */
const BREATH_MS = 10_000

/** Broker faults run one at a time: rabbitmqctl cannot run concurrently. */
let brokerFree: Promise<unknown> = Promise.resolve()
const withBroker =
  (work: (world: World, fault: Fault) => Promise<unknown>): Make =>
  async (world, fault) => {
    const due = Date.now()
    const turn = brokerFree.then(async () => {
      if (Date.now() - due > BEHIND_MS) await wait(BREATH_MS)
      return work(world, fault)
    })
    brokerFree = turn.catch(() => {})
    await turn
    return true
  }

/** A fault must end, or everything after it fails. */
const heal = (rabbit: World['rabbit'], ...command: string[]) =>
  eventually(`the broker takes ${command[0]}`, () => rabbit.control(...command))

/** Creates a broker alarm, which blocks publishing until the limit is restored. */
const alarm = (setting: string, limit: string, usual: string): Make =>
  withBroker(async ({ rabbit }, { lastsMs }) => {
    await rabbit.control(setting, limit)
    await wait(lastsMs)
    await heal(rabbit, setting, usual)
  })

const MAKE: Record<Kind, Make> = {
  kill: end('SIGKILL'),
  stop: end('SIGTERM'),
  'stop group': end('SIGTERM', true),
  async freeze({ processes }, { target, lastsMs }) {
    const frozen = processes.get(target)!
    const hit = frozen.signal('SIGSTOP')
    await wait(lastsMs)
    frozen.signal('SIGCONT')
    return hit
  },
  'kill database': ({ database }, { lastsMs }) => database.restart('SIGKILL', { awayMs: lastsMs }),
  'kill broker': withBroker(async ({ rabbit }) => {
    await rabbit.kill()
    await rabbit.restart()
  }),
  'stop broker': withBroker(async ({ rabbit }, { lastsMs }) => {
    await rabbit.control('stop_app')
    await wait(lastsMs)
    await heal(rabbit, 'start_app')
  }),
  'close connections': withBroker(({ rabbit }) => rabbit.control('close_all_connections', 'drill')),
  'memory alarm': alarm('set_vm_memory_high_watermark', '0.00001', '0.4'),
  'disk alarm': alarm('set_disk_free_limit', '9000GB', '1MB'),
  async 'cut line'({ lines }, { target, lastsMs }) {
    const line = lines.get(target)!
    line.goAway()
    await wait(lastsMs)
    line.comeBack()
    return true
  },
  async 'slow line'({ lines }, { target, lastsMs }) {
    const line = lines.get(target)!
    line.slow(200)
    await wait(lastsMs)
    line.slow(0)
    return true
  },
  async provider({ providers }, { target, lastsMs }) {
    const [route, way] = target.split(' ') as [ProviderRoute, Way]
    providers.misbehave(route, way)
    await wait(lastsMs)
    providers.behave(route)
    return true
  },
  async shop({ shop }, { target, lastsMs }) {
    await shop.misbehave(target as ShopRoute)
    await wait(lastsMs)
    await shop.behave(target as ShopRoute)
    return true
  },
  async 'full disk'({ disk }, { lastsMs }) {
    if (!disk) return false
    await disk.fill()
    await wait(lastsMs)
    await disk.free()
    return true
  },
}

/** Injects the faults at their times. Returns them once the last one is over. */
export function makeAll(world: World, faults: Fault[], startedAt: number): Promise<Made[]> {
  return Promise.all(
    faults.map(async fault => {
      await until(startedAt + fault.at)
      const from = Date.now()
      const hit = await MAKE[fault.kind](world, fault)
      return { ...fault, from, until: Date.now(), hit }
    }),
  )
}
