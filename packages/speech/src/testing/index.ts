export { createFfmpeg, ffmpegCommand } from '../audio/ffmpeg.ts'
export { STEPS_PER_SECOND } from '../audio/levels.ts'
export { expectIn } from '../models/expected.ts'
export { fakeSphinx } from './fake-sphinx.ts'
export { startHub } from './model-hub.ts'
export { openAiError, startOpenAiFake } from './openai-fake.ts'
export { type Answer, type Answers, startProviderFake } from './provider-fake.ts'
export { librivox, MODELS, withRealSpeech } from './recordings.ts'
export {
  decodeFirst,
  ffmpeg,
  fileTypeOf,
  folderOfTests,
  partOf,
  QUICK_FFMPEG,
  temporaryFolder,
  tone,
} from './sound.ts'
export { changed, interview, readers } from './voices.ts'
