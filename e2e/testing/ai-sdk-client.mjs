// Transcribes a file with the AI SDK: folder of its packages, file, address, key. Prints what it gets, as JSON.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

const [packages, path, baseURL, apiKey] = process.argv.slice(2)
const require = createRequire(`${packages}/package.json`)
const [{ createOpenAI }, { experimental_transcribe: transcribe }] = ['@ai-sdk/openai', 'ai'].map(name =>
  require(name),
)
const openai = createOpenAI({ baseURL, apiKey })
const audio = await readFile(path)
const answers = {}
// With options of its own it asks the first for verbose_json, the other for json.
const providerOptions = { openai: { timestampGranularities: ['segment'] } }
for (const model of ['whisper-1', 'gpt-4o-transcribe']) {
  const { text, segments } = await transcribe({
    model: openai.transcription(model),
    audio,
    providerOptions,
    maxRetries: 0,
  })
  answers[model] = { text, segments }
}
process.stdout.write(JSON.stringify(answers))
