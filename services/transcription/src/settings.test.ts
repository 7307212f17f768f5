import { readSettings, SettingsError } from '@voxscribe/service'
import { transcriptionSettings } from './settings.ts'

test.each([
  [{ SPEECH_ENGINE: 'openai' }, 'OPENAI_API_KEY'],
  [{ SPEECH_ENGINE: 'magic' }, 'SPEECH_ENGINE'],
  [{ FFMPEG_PATH: '/nowhere/ffmpeg' }, 'FFMPEG_PATH'],
  [{ NOTE_TIMEOUT: 'soon' }, 'NOTE_TIMEOUT: must be a duration'],
  [{ WORKING_NOTICE: 'never' }, 'WORKING_NOTICE: must be a duration such as 3m, 24d at most, or off'],
  [{ LOCAL_MODEL: 'whisper-tinny' }, 'LOCAL_MODEL: must be a name of `npm run model`'],
  [{ SPEAKER_MODEL: 'whisper-tiny' }, 'SPEAKER_MODEL: must be a name of `npm run model`'],
  [{ S3_ACCESS_KEY_ID: 'key' }, 'S3_SECRET_ACCESS_KEY: is needed with S3_ACCESS_KEY_ID'],
])('when the settings are %j, then the start stops and names %s', (env, name) => {
  const read = () => readSettings(transcriptionSettings, { MONGO_URL: 'mongodb://x', ...env })
  expect(read).toThrow(SettingsError)
  expect(read).toThrow(name)
})
