import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MAX_FILE_BYTES } from '@voxscribe/contracts/limits'
import { ffmpeg, librivox, MODELS, withRealSpeech } from '@voxscribe/speech/testing'
import { deskFor } from '../testing.ts'

/** A melody in chords, with a beat. */
const MUSIC =
  'aevalsrc=(0.4*sin(131*2*PI*t)+0.2*sin(2*PI*(262+66*floor(mod(t*2\\,4)))*t))*(0.6+0.4*sin(8*PI*t))'

/** Recordings as phones and broken uploads make them, through the upload route. */
withRealSpeech('a recording that is out of the ordinary', () => {
  const here = deskFor(() => ({ MODEL_DIR: MODELS, SPEECH_ENGINE: 'local' }))
  const [, he, , had] = librivox()
  const said = he?.words ?? []
  const voice = he?.path ?? ''
  const other = had?.path ?? ''

  const at = (name: string) => join(here.folder, name)
  const filtered = async (name: string, ...options: string[]) => {
    await ffmpeg('-i', voice, ...options, at(name))
    return at(name)
  }
  /** Changes a WAV file's bytes; its data begin at byte 44. */
  async function patched(name: string, change: (wav: Buffer) => Buffer): Promise<string> {
    const wav = await readFile(await filtered('plain.wav', '-fflags', '+bitexact', '-map_metadata', '-1'))
    await writeFile(at(name), change(wav))
    return at(name)
  }
  const lying = (bytes: number) => (wav: Buffer) => {
    wav.writeUInt32LE(bytes, 40)
    return wav
  }

  /** Returns the share of words recognized, and the length charged. */
  async function heardOf(path: string, words: string[]) {
    const { id, done } = await here.desk.complete(path)
    const heard = new Set(done.text.toLowerCase().match(/[a-z']+/g))
    const share = words.filter(word => heard.has(word)).length / words.length
    return { share, seconds: done.seconds, segments: (await here.desk.noteOf(id)).segments }
  }

  test.each<[string, () => Promise<string>]>([
    ['8 kHz from a telephone', () => filtered('phone.wav', '-ar', '8000', '-c:a', 'pcm_mulaw')],
    ['clipped', () => filtered('clipped.wav', '-af', 'volume=12dB')],
    ['of -40 dB', () => filtered('quiet.flac', '-af', 'volume=-40dB')],
    ['a WAV whose header claims 4 GB', () => patched('more.wav', lying(0xffff_ffff))],
    ['a WAV whose header claims nothing', () => patched('none.wav', lying(0))],
    [
      'an MP3 with a cover picture',
      async () => {
        const picture = ['-f', 'lavfi', '-i', 'color=c=red:size=64x64:rate=1:duration=1']
        const cover = ['-map', '0', '-map', '1', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic']
        return await filtered('cover.mp3', ...picture, ...cover)
      },
    ],
  ])('when it is %s, then its words come through, at its real length', async (_what, made) => {
    const { share, seconds } = await heardOf(await made(), said)
    expect(share).toBeGreaterThanOrEqual(0.7)
    expect(seconds).toBeCloseTo(2.95, 0)
  })

  test('when two people speak, one on each side, then both are heard', async () => {
    const sides =
      '[0]apad=pad_dur=6,aresample=16000[l];[1]adelay=3500,aresample=16000[r];[l][r]join=inputs=2:channel_layout=stereo'
    await filtered('sides.wav', '-i', other, '-filter_complex', sides, '-t', '10')
    const { share } = await heardOf(at('sides.wav'), [...said, ...(had?.words ?? [])])
    expect(share).toBeGreaterThanOrEqual(0.8)
  })

  test('when it breaks off in the middle, then what is there is heard, and only that is charged', async () => {
    const whole = await readFile(await filtered('whole.ogg', '-c:a', 'libopus', '-b:a', '16k'))
    await writeFile(at('half.ogg'), whole.subarray(0, whole.length * 0.6))
    const { share, seconds } = await heardOf(at('half.ogg'), said)
    expect(share).toBeGreaterThan(0.2)
    expect(seconds).toBeLessThan(2.9)
  })

  test('when it is one short word, then that is heard', async () => {
    await ffmpeg('-i', voice, '-ss', '0.3', '-t', '0.6', '-c:a', 'libopus', '-b:a', '16k', at('word.ogg'))
    const { seconds } = await heardOf(at('word.ogg'), said)
    expect(seconds).toBeCloseTo(0.6, 1)
  })

  test('when words come after ten silent minutes, then they are heard, at their place', async () => {
    const quiet = ['-f', 'lavfi', '-t', '610', '-i', 'anullsrc=r=16000:cl=mono']
    const joined = '[0]aresample=16000[v];[1][v]concat=n=2:v=0:a=1'
    await ffmpeg('-i', voice, ...quiet, '-filter_complex', joined, at('late.flac'))
    const { share, seconds, segments } = await heardOf(at('late.flac'), said)
    expect(share).toBeGreaterThanOrEqual(0.7)
    expect(seconds).toBeCloseTo(613, 0)
    expect(segments[0].from).toBeGreaterThan(609)
  })

  test.each<[string, string, number, string[]]>([
    [
      '16 MB of silence',
      'silence.wav',
      500,
      ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-fs', '16000000'],
    ],
    [
      '140 minutes of silence in less than 1 MB',
      'long.flac',
      8_400,
      ['-f', 'lavfi', '-i', 'anullsrc=r=16000:cl=mono', '-t', '8400'],
    ],
    // 140 minutes of it take the detector 40 s on this machine.
    ['music', 'music.ogg', 60, ['-f', 'lavfi', '-i', MUSIC, '-t', '60', '-c:a', 'libopus']],
  ])('when it is %s, then it is free and says so', async (_what, name, length, made) => {
    await ffmpeg(...made, at(name))
    expect((await stat(at(name))).size).toBeLessThanOrEqual(MAX_FILE_BYTES)
    const { id, reserved, done } = await here.desk.complete(at(name))
    expect(reserved.seconds).toBe(0)
    expect(done).toMatchObject({ text: '', notices: [{ code: 'no_speech' }] })
    expect((await here.desk.noteOf(id)).durationSeconds).toBeCloseTo(length, -1)
  })
})
