import { readFile } from 'node:fs/promises'
import { startCountingEngine } from './testing/counting-engine.ts'
import { startOneProcess } from './testing/one-process.ts'
import { signUp } from './testing/person.ts'
import { fileWith, speechOf } from './testing/speech.ts'
import { memoryOf } from './testing/system.ts'

/** After these notes, all code has run and is compiled. */
const FIRST = 100
const MORE = 200
const AT_ONCE = 5
/** Without the options of `deploy/local/memory.mjs`, it grows by 40 MB to 371. */
const GROWTH_MB = 30
const MOST_MB = 300

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux(`when one process has worked on ${MORE} notes more, then its memory is what it was`, async () => {
  const engine = await startCountingEngine(0)
  const system = await startOneProcess({ ...engine.settings, LOG_LEVEL: 'warn' })
  try {
    const { pid = 0 } = system.process('voxscribe')
    const person = await signUp(system)
    await person.sendText(person.user.link_code ?? '')
    await person.replies(1)
    const speech = await readFile(await speechOf(3, 'memory.ogg'))
    let sent = 0
    const note = async () => {
      sent += 1
      // Bytes after the audio make it a different file.
      const file = fileWith(`note-${sent}.ogg`, Buffer.concat([speech, Buffer.from(`${sent}`)]))
      await person.replyTo(await person.sendNote(file, { voice: true }))
    }
    const workUntil = async (count: number) => {
      while (sent < count) await Promise.all(Array.from({ length: AT_ONCE }, note))
    }
    await workUntil(FIRST)
    const before = await memoryOf(pid, 'RssAnon')
    await workUntil(FIRST + MORE)
    // Not counted: mapped pages of the database's file, which the system reclaims when it needs memory.
    const growth = (await memoryOf(pid, 'RssAnon')) - before
    expect({ growth: Math.max(growth, GROWTH_MB), calls: engine.calls() }).toEqual({
      growth: GROWTH_MB,
      calls: FIRST + MORE,
    })
    expect(await memoryOf(pid)).toBeLessThan(MOST_MB)
  } finally {
    await system.remove()
    await engine.stop()
  }
})
