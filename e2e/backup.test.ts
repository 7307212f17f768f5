import { createHash } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import axios from 'axios'
import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { speechOf } from './testing/speech.ts'
import { newDataDir, type System } from './testing/system.ts'

type Http = Person['http']

/** All that a person has, as they see it. */
async function belongingsOf(system: System, http: Http) {
  const { user } = (await http.get('/users/profile')).data.data
  const { transcriptions } = (await http.get('/transcriptions')).data.data
  const { usage } = (await http.get('/stripe/usage')).data.data
  const audio: string[] = []
  for (const { id } of transcriptions) {
    const { audioUrl } = (await http.get(`/transcriptions/${id}`)).data.data.transcription
    const { data } = await axios.get(audioUrl, { baseURL: system.appUrl, responseType: 'arraybuffer' })
    audio.push(createHash('sha256').update(data).digest('hex'))
  }
  return { user, transcriptions, usage, audio }
}

test('when the data folder is copied after a stop, then it goes on in a new place as if nothing had been', async () => {
  const engine = await startCountingEngine(0)
  const backup = await newDataDir()
  let system = await startOneProcess(engine.settings)
  try {
    const person = await signUp(system)
    await person.sendNote(await speechOf(3, 'first.ogg'), { voice: true })
    await person.ended(1)
    await person.replies(1)
    await eventually('the minutes are charged', 60_000, async () => {
      if ((await person.plan()).used_minutes === 0) throw new Error('not yet')
    })
    const before = await belongingsOf(system, person.http)
    // Wherever this one is when everything stops.
    await person.sendNote(await speechOf(4, 'second.ogg'), { voice: true })
    await system.stop()
    await cp(system.dataDir, backup, { recursive: true })
    await system.remove()

    system = await startOneProcess(engine.settings, dataDir => cp(backup, dataDir, { recursive: true }))
    const headers = { authorization: person.http.defaults.headers.authorization }
    const http = axios.create({ baseURL: `${system.appUrl}/api`, headers: headers as Record<string, string> })
    const after = await eventually('both notes are done and charged', 60_000, async () => {
      const belongings = await belongingsOf(system, http)
      const settled = belongings.usage.filter(({ kind }: { kind: string }) => kind === 'settled')
      if (settled.length !== 2) throw new Error(`${settled.length} are charged`)
      return belongings
    })
    expect(after.user).toEqual({ ...before.user, subscription: after.user.subscription })
    expect(after.transcriptions.slice(1)).toEqual(before.transcriptions)
    expect(after.transcriptions[0].status).toBe('completed')
    expect(after.audio.slice(1)).toEqual(before.audio)
    expect(after.usage).toEqual(expect.arrayContaining(before.usage))
    const { refreshToken } = person
    expect((await axios.post(`${system.appUrl}/api/auth/refresh`, { refreshToken })).status).toBe(200)
  } finally {
    await system.remove()
    await rm(backup, { recursive: true, force: true })
    await engine.stop()
  }
})
