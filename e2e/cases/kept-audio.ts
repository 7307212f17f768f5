import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../testing/eventually.ts'
import { signUp } from '../testing/person.ts'
import { recordingAs, voiceNote } from '../testing/speech.ts'
import type { System } from '../testing/system.ts'

/** Retention of recordings, on every backing. */
export function keptAudioCases(system: () => System): void {
  test('when a person keeps no audio, then only the texts of old and new notes stay, from chat and uploads', async () => {
    const person = await signUp(system())
    // With a bucket there is no folder to check, only the responses.
    const folder = join(system().dataDir, 'blobs')
    const files = async () => (existsSync(folder) ? readdir(folder, { recursive: true }) : [])
    const isStored = async (id: string) => (await files()).some(name => name.endsWith(id))
    const audioOf = async (id: string) => (await person.http.get(`/transcriptions/${id}/audio`)).status
    const gone = (id: string) =>
      eventually('the audio is gone', async () => {
        const status = await audioOf(id)
        if (status !== 410 || (await isStored(id))) throw new Error(`it answers ${status}`)
      })

    await person.sendNote(await voiceNote('old.ogg'), { voice: true })
    const [old] = await person.ended(1)
    expect([await audioOf(old!.id), await isStored(old!.id)]).toEqual([200, existsSync(folder)])
    const choice = { keep_audio: false, apply_to_existing: true }
    const { data } = await person.http.post('/users/update-profile', choice)
    expect(data.data.user).toMatchObject({ keep_audio: false, retention_days: 30 })
    await gone(old!.id)

    await person.sendNote(await voiceNote('new.ogg'), { voice: true })
    await person.upload(await recordingAs('talk.mp3'))
    for (const { id, status, text } of await person.ended(3)) {
      expect([status, text]).toEqual(['completed', expect.stringMatching(/\w/)])
      await gone(id)
      expect((await person.http.post(`/transcriptions/${id}/refresh`)).status).toBe(410)
    }
  })
}
