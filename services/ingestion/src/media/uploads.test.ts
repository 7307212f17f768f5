import { randomUUID } from 'node:crypto'
import { createMemory } from '@voxscribe/service/testing'
import { createUploads } from './uploads.ts'

function processes() {
  const { documentsOf, all } = createMemory()
  return { all, start: () => createUploads(documentsOf()) }
}

test('when two processes claim one key at once, then one gets it', async () => {
  const { start } = processes()
  const [one, other] = [start(), start()]
  const key = randomUUID()
  const claims = await Promise.allSettled([one.claim('ada', key), other.claim('ada', key)])
  expect(claims.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('when a process was taken for dead, then the first file accepted by either wins', async () => {
  const { start, all } = processes()
  const key = randomUUID()
  const slow = await start().claim('ada', key)
  all('uploads')[0]!.lease = null
  const successor = await start().claim('ada', key)
  expect(successor.mediaId).toBe(slow.mediaId)
  const at = await successor.accept('a')
  expect(await slow.accept('a')).toEqual(at)
  await expect(slow.accept('b')).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  await slow.release()
  expect(all('uploads')[0]?.lease).not.toBeNull()
  await successor.release()
  expect(all('uploads')[0]?.lease).toBeNull()
})
