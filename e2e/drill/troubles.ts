import { setTimeout as wait } from 'node:timers/promises'
import { eventually } from '../testing/eventually.ts'
import { until } from './persist.ts'
import type { Door, Kind, ShopDoor, Trouble, Way } from './plan.ts'
import type { World } from './world.ts'

/** A trouble as it came. */
export interface Made extends Trouble {
  /** Milliseconds since 1970. */
  from: number
  until: number
  /** False when there was nothing to hit: it was down already, or this machine has nothing of the kind. */
  hit: boolean
}

type Make = (world: World, trouble: Trouble) => Promise<boolean>

const end =
  (signal: NodeJS.Signals, group = false): Make =>
  ({ processes }, { target, awayMs }) =>
    processes.get(target)!.restart(signal, { group, awayMs })

/** So much later than planned, a trouble of the broker is late because the machine is slow. */
const BEHIND_MS = 10_000
/** Then the services get this time before it, or they would find no broker between one trouble and the next. */
const BREATH_MS = 10_000

/** While one trouble of the broker lasts, others wait: rabbitmqctl does not work side by side. */
let brokerFree: Promise<unknown> = Promise.resolve()
const withBroker =
  (work: (world: World, trouble: Trouble) => Promise<unknown>): Make =>
  async (world, trouble) => {
    const due = Date.now()
    const turn = brokerFree.then(async () => {
      if (Date.now() - due > BEHIND_MS) await wait(BREATH_MS)
      return work(world, trouble)
    })
    brokerFree = turn.catch(() => {})
    await turn
    return true
  }

/** Long enough for a machine that has other things to do. */
const HEAL_WITHIN_MS = 180_000

/** A trouble has to end, or everything after it would be in vain. */
const heal = (rabbit: World['rabbit'], ...command: string[]) =>
  eventually(`the broker takes ${command[0]}`, HEAL_WITHIN_MS, () => rabbit.control(...command))

/** An alarm of the broker: it takes no more messages until the limit is set back. */
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
    const [door, way] = target.split(' ') as [Door, Way]
    providers.misbehave(door, way)
    await wait(lastsMs)
    providers.behave(door)
    return true
  },
  async shop({ shop }, { target, lastsMs }) {
    await shop.misbehave(target as ShopDoor)
    await wait(lastsMs)
    await shop.behave(target as ShopDoor)
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

/** Makes the troubles at their times and returns them when the last one is over. */
export function makeAll(world: World, troubles: Trouble[], startedAt: number): Promise<Made[]> {
  return Promise.all(
    troubles.map(async trouble => {
      await until(startedAt + trouble.at)
      const from = Date.now()
      const hit = await MAKE[trouble.kind](world, trouble)
      return { ...trouble, from, until: Date.now(), hit }
    }),
  )
}
