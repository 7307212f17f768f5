import { listen } from '@voxscribe/service'
import { startManagementHere } from './management.ts'

describe('the management port of npm start', () => {
  const lines: string[] = []
  let taken: Awaited<ReturnType<typeof listen>>
  beforeAll(async () => {
    taken = await listen((_request, response) => void response.end(), 0, '127.0.0.1')
  })
  afterAll(() => taken.close())

  test('when another program has the default port, then it moves to a free one and says so', async () => {
    const management = await startManagementHere({ MANAGEMENT_PORT: taken.port }, {}, line =>
      lines.push(line),
    )
    expect(management.port).not.toBe(taken.port)
    expect((await fetch(`http://127.0.0.1:${management.port}/healthz`)).status).toBe(200)
    expect(lines).toEqual([expect.stringContaining(`the management port is ${management.port}`)])
    await management.close()
  })

  test('when the port was asked for, then it stays, and the start fails', async () => {
    const asked = { MANAGEMENT_PORT: String(taken.port) }
    const starting = startManagementHere({ MANAGEMENT_PORT: taken.port }, asked, () => {})
    await expect(starting).rejects.toThrow('EADDRINUSE')
  })
})
