import { readSettings, SettingsError } from '@voxscribe/service'
import { transcriptionSettings } from './settings.ts'

test.each([
  [{ SPEECH_ENGINE: 'openai' }, 'OPENAI_API_KEY'],
  [{ SPEECH_ENGINE: 'magic' }, 'SPEECH_ENGINE'],
  [{ FFMPEG_PATH: '/nowhere/ffmpeg' }, 'FFMPEG_PATH'],
  [{ NOTE_TIMEOUT: 'soon' }, 'NOTE_TIMEOUT'],
])('when the settings are %j, then the start stops and names %s', (env, name) => {
  const read = () => readSettings(transcriptionSettings, { MONGO_URL: 'mongodb://x', ...env })
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(name)
})
