import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onPath } from '@voxscribe/speech'
import { MODELS, startHub, temporaryFolder, withRealSpeech } from '@voxscribe/speech/testing'

const run = promisify(execFile)
const CLI = join(import.meta.dirname, 'models.ts')

let folder: string
beforeEach(async () => {
  folder = await temporaryFolder()
  // Without pip, the detector comes from the mirror, too.
  await writeFile(join(folder, 'pip3'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Runs `npm run model -- …`; returns its output and exit status. */
async function model(args: string[], env: NodeJS.ProcessEnv = {}) {
  const given = { PATH: `${folder}:${process.env.PATH}`, MODEL_DIR: folder, ...env }
  const ran = run(process.execPath, ['--disable-warning=ExperimentalWarning', CLI, ...args], { env: given })
  const { code, stdout, stderr } = await ran.then(
    printed => ({ code: 0, ...printed }),
    failed => failed as { code: number; stdout: string; stderr: string },
  )
  return { code, printed: stdout + stderr }
}
const lineOf = (name: string, { printed }: { printed: string }) =>
  printed.split('\n').find(line => line.startsWith(`• ${name} `))

test('when a mirror has another file than the table, then it is refused', async () => {
  const hub = await startHub()
  const { code, printed } = await model(['silero-vad'], { MODEL_SOURCE: hub.source })
  expect([code, printed]).toEqual([1, expect.stringContaining('is not the file that it should be')])
  expect(printed).toContain('• Fetching silero-vad (11 MB) into ')
  expect(lineOf('silero-vad', await model([]))).toMatch(/11 MB +voice activity +MIT +not here$/)
  await hub.stop()
})

test('when files that are no model were put there by hand, then the list says that they cannot be loaded', async () => {
  await mkdir(join(folder, 'whisper-tiny'))
  for (const name of ['encoder.int8.onnx', 'decoder.int8.onnx', 'tokens.txt'])
    await writeFile(join(folder, 'whisper-tiny', name), 'no model')
  expect(lineOf('whisper-tiny', await model([]))).toMatch(
    /104 MB +99 languages +MIT +here, cannot be loaded, in use$/,
  )
})

test('when a name is given that there is not, then the error shows what there is', async () => {
  const { code, printed } = await model(['whisper-huge'])
  expect(code).toBe(1)
  expect(printed).toMatch(/^There is no model whisper-huge\. Known are: whisper-base, /)
  expect(printed).toContain('npm run model -- NAME')
})

/** Starts a proxy that tunnels every connection to one port, whatever its name. */
async function startProxy(port: number) {
  const asked: (string | undefined)[] = []
  const server = createServer().on('connect', ({ url }, socket) => {
    asked.push(url)
    const target = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 OK\r\n\r\n'))
    target.pipe(socket).pipe(target)
    socket.on('error', () => target.destroy())
    target.on('error', () => socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise(resolve => server.close(resolve)),
  }
}

/** Makes a certificate for a name that only the proxy knows. */
async function certificateFor(name: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const elliptic = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const named = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '1']
  await run('openssl', ['req', '-x509', ...elliptic, ...named, '-keyout', key, '-out', cert])
  return { path: cert, key: await readFile(key), cert: await readFile(cert) }
}

const withOpenssl = onPath('openssl') ? test : test.skip
withOpenssl('when HTTPS_PROXY is set, then a model comes through that proxy (needs openssl)', async () => {
  const { path, key, cert } = await certificateFor('models.test')
  const hub = await startHub({}, { key, cert })
  const proxy = await startProxy(hub.port)
  const env = { HTTPS_PROXY: proxy.url, MODEL_SOURCE: 'https://models.test', NODE_EXTRA_CA_CERTS: path }
  const { code, printed } = await model(['silero-vad'], env)
  expect([code, printed]).toEqual([1, expect.stringContaining('is not the file that it should be')])
  expect(new Set(proxy.asked)).toEqual(new Set(['models.test:443']))
  expect(hub.got.length).toBeGreaterThan(1)
  await hub.stop()
  await proxy.stop()
})

const published = '3dspeaker_speech_campplus_sv_zh_en_16k-common_advanced.onnx'
withOpenssl('when a model of voices is another file than the table says, then it is refused', async () => {
  const { path, key, cert } = await certificateFor('github.com')
  const hub = await startHub({}, { key, cert })
  const proxy = await startProxy(hub.port)
  const { code, printed } = await model(['campplus'], {
    HTTPS_PROXY: proxy.url,
    MODEL_SOURCE: 'https://github.com',
    NODE_EXTRA_CA_CERTS: path,
  })
  expect([code, printed]).toEqual([
    1,
    expect.stringContaining(`${published} is not the file that it should be`),
  ])
  const asked = hub.got.map(({ url }) => url)
  expect(asked).toContain(`/k2-fsa/sherpa-onnx/releases/download/speaker-recongition-models/${published}`)
  expect(lineOf('campplus', await model([]))).toMatch(/81 MB +who speaks +Apache 2.0 +not here$/)
  await hub.stop()
  await proxy.stop()
})

withRealSpeech('the list of models on this machine', () => {
  test('when a model can be loaded, then its speed here is told', async () => {
    // Each installed model is measured; the smallest is enough.
    for (const name of ['whisper-tiny.en', 'silero-vad'])
      await symlink(join(MODELS, name), join(folder, name))
    const list = await model([])
    expect(lineOf('whisper-tiny.en', list)).toMatch(/ en +MIT +here, \d+ times as fast as speech, in use$/)
    expect(lineOf('silero-vad', list)).toMatch(/voice activity +MIT +here$/)
  })
})
