// Transcribes a file with the AI SDK. Arguments: folder of its packages, file, address, key. Prints JSON.
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
// With these options, it asks the first model for verbose_json, and the other for json.
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
