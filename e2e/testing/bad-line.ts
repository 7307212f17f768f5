import type { AddressInfo } from 'node:net'
import { createServer, connect as dial, type Socket } from 'node:net'

/** Cuts of successive uploads; later uploads pass. */
export type Cut = 'while it is sent' | 'before the answer'

const UPLOAD = /^POST \/api\/transcriptions HTTP/
const KEY = /^idempotency-key: (\S+)/im
/** Bytes that pass at once, and milliseconds until the next ones. */
const PIECE = 32 * 1024
const PAUSE_MS = 25

/** Starts a slow proxy to the server that cuts uploads as specified. */
export async function startBadLine(appUrl: string, cuts: Cut[]) {
  const { hostname, port } = new URL(appUrl)
  const keys: (string | undefined)[] = []
  const open = new Set<Socket>()
  const server = createServer(near => {
    const far = dial(Number(port), hostname)
    let cut: Cut | undefined
    for (const socket of [near, far]) {
      open.add(socket)
      // The test breaks the line itself.
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    let sent = 0
    near.on('data', bytes => {
      const head = bytes.toString('latin1')
      if (UPLOAD.test(head)) {
        keys.push(KEY.exec(head)?.[1])
        cut = cuts.shift()
        sent = 0
      }
      sent += bytes.length
      far.write(bytes)
      if (cut === 'while it is sent' && sent > 2 * PIECE) return near.destroy()
      if (bytes.length < PIECE) return
      near.pause()
      setTimeout(() => near.resume(), PAUSE_MS)
    })
    far.on('data', bytes => (cut === 'before the answer' ? near.destroy() : near.write(bytes)))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    appUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The idempotency keys of all uploads that were started. */
    keys,
    stop: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
