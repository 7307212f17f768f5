import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { eventually } from '@voxscribe/service/testing'
import { pino } from 'pino'
import { openDatabase } from './database.ts'
import { startProduct } from './testing/product.ts'
import { createDeliveries } from './webhook-delivery.ts'

test('when a webhook becomes due while the clock is being read, then it is sent anyway', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandbox-'))
  const db = openDatabase(dataDir)
  const product = await startProduct()
  const ticks: number[] = []
  const deliveries = createDeliveries({
    db,
    log: pino({ level: 'silent' }),
    now: () => ticks.shift() ?? 1_000,
  })
  deliveries.sendTo('stripe', { url: product.url, sign: () => ({}) })
  try {
    // The check at the start finds nothing; the new webhook causes the next one.
    await setImmediate()
    deliveries.enqueue('stripe', 'evt_1', '{}')
    // Whatever is read first is a millisecond too early; whatever comes after is just in time.
    ticks.push(999)
    await eventually(() => product.received.length > 0)
    expect(product.received).toHaveLength(1)
  } finally {
    await deliveries.stop()
    await product.stop()
    db.close()
    await rm(dataDir, { recursive: true, force: true })
  }
})
