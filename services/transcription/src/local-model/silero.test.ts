import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createFfmpeg } from '../audio/ffmpeg.ts'
import { readSound } from '../audio/sounds.ts'
import { openModels } from '../models/folder.ts'
import { librivox, MODELS, withRealSpeech } from '../testing/recordings.ts'
import { ffmpeg, temporaryFolder } from '../testing.ts'
import { createNativePool, type NativePool } from './pool.ts'
import { createDetector } from './silero.ts'

withRealSpeech('the detector, in a note of one word', () => {
  let folder: string
  let pool: NativePool
  beforeAll(async () => {
    folder = await temporaryFolder()
    pool = createNativePool(1)
  })
  afterAll(async () => {
    pool.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** Lays a sound over a room's noise, 0.3 s after the beginning, as WhatsApp would send it. */
  async function speechIn(sound: string[], seconds: number) {
    const [room, note] = ['anoisesrc=c=pink:a=0.002:seed=1', join(folder, 'note.ogg')]
    const filter = `[0]${sound.at(-1)},adelay=300:all=1,apad=pad_dur=0.3[s];[s][1]amix=duration=first:normalize=0`
    const inputs = [...sound.slice(0, -1), '-f', 'lavfi', '-i', room, '-filter_complex', filter]
    await ffmpeg(...inputs, '-t', `${seconds + 0.6}`, '-ac', '1', '-c:a', 'libopus', '-b:a', '16k', note)
    const detector = createDetector(pool, openModels({ folder: MODELS }))
    const deps = { ffmpeg: createFfmpeg({ FFMPEG_TIMEOUT: 20_000 }), detector }
    return (await readSound(deps, note, folder, new AbortController().signal)).speech
  }

  test('when it is a short word with a quiet moment around it, then it is found', async () => {
    // "more", of "had he married a more amiable woman".
    const path = librivox()[3]?.path ?? ''
    const more = await speechIn(['-i', path, 'atrim=1.03:1.41,asetpts=N/SR/TB'], 0.38)
    expect(more).toHaveLength(1)
  })

  test.each(['sine=f=440', 'sine=f=1000', 'anoisesrc=c=white:a=0.5:seed=1'])(
    'when it is a moment of %s, then nobody speaks',
    async sound => {
      expect(await speechIn(['-f', 'lavfi', '-i', sound, 'atrim=0:0.4,asetpts=N/SR/TB'], 0.4)).toEqual([])
    },
  )
})
