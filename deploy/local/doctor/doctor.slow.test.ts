import { spawnSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { SERVICES } from '@voxscribe/contracts/events'
import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'
import { SANDBOX_PRICE_ID } from '@voxscribe/sandbox'
import { type Answer, graphError, json, startTestSandbox, type TestSandbox } from '@voxscribe/sandbox/testing'
import { openDocuments } from '../../../packages/service/src/database/documents.ts'
import { standaloneSettings } from '../../../packages/service/src/settings/common-settings.ts'
import { serviceSettings, settingsOf } from '../../service-settings.ts'

type Connection = Awaited<ReturnType<typeof openDocuments>>['connection']

import { check, ok } from '@voxscribe/service'
import { MODELS } from '@voxscribe/speech'
import { checks as transcriptionChecks } from '@voxscribe/transcription/checks'
import { examine } from './check.ts'
import { diagnose } from './doctor.ts'
import { settingsOf as settingsFrom } from './settings.ts'

function newKeyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return {
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    publicKey: String(publicKey.export({ type: 'spki', format: 'pem' })),
  }
}

/** Starts an S3 store with the bucket `media`; if `keeps` is set, it deletes nothing. */
async function startStorage() {
  const objects = new Map<string, Buffer>()
  const storage = {
    url: '',
    keeps: false,
    keepAll: () => {
      storage.keeps = true
    },
    stop: async () => void server.close(),
  }
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const found = objects.get(path)
    if (request.method === 'PUT' && path.startsWith('/media/')) objects.set(path, await buffer(request))
    else if (request.method === 'DELETE') {
      if (!storage.keeps) objects.delete(path)
      // The same status for a key that doesn't exist.
      response.statusCode = 204
    } else if (found) return response.end(request.method === 'HEAD' ? undefined : found)
    else response.statusCode = 404
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  storage.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return storage
}

const WHATSAPP = {
  number: '15550783881',
  phoneNumberId: '106540352242922',
  accessToken: 'EAAG-hush-token',
  appSecret: 'hush-of-the-app',
}
const STRIPE = { secretKey: 'sk_test_hush', webhookSecret: 'whsec_hush' }
const [APP, ACCOUNT, VERIFY_TOKEN] = ['670843887433847', '102290129340398', 'hush-verify-token']
const TWILIO_TOKEN = 'hush-of-twilio'
const OPENAI_KEY = 'sk-hush-openai'
const MANAGEMENT = 'whatsapp_business_management'
const ELSEWHERE = 'https://old.example/webhooks'

const TOKEN = {
  app_id: APP,
  is_valid: true,
  expires_at: 0,
  scopes: [MANAGEMENT, 'whatsapp_business_messaging'],
  granular_scopes: [{ scope: MANAGEMENT, target_ids: ['1', ACCOUNT] }],
}
const NUMBER = { display_phone_number: '+1 555-078-3881', verified_name: 'Voxscribe' }

/** Returns an answer that says `yes` to holders of a secret, and `no` to everyone else. */
const held =
  (authorization: string, yes: Answer, no: Answer): Answer =>
  (response, request, next) =>
    (request.headers.authorization === authorization ? yes : no)(response, request, next)
const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const meta = (body: object, token = WHATSAPP.accessToken) =>
  held(`Bearer ${token}`, json(200, body), graphError(190, 401))

describe('npm run doctor', () => {
  let folder: string
  let mongo: Awaited<ReturnType<typeof startEmbeddedMongo>>
  let sandbox: TestSandbox
  let env: Record<string, string>
  const keyPair = newKeyPair()
  let storage: Awaited<ReturnType<typeof startStorage>>

  beforeAll(async () => {
    storage = await startStorage()
    folder = await mkdtemp(join(tmpdir(), 'doctor-'))
    mongo = await startEmbeddedMongo({ path: join(folder, 'mongo'), socket: true })
  })
  afterAll(async () => {
    await storage.stop()
    await mongo.stop()
    await rm(folder, { recursive: true })
  })

  async function inDatabase(
    work: (media: ReturnType<Connection['collection']>) => Promise<unknown>,
  ): Promise<void> {
    const documents = await openDocuments(mongo.url, 'voxscribe_ingestion', () => {})
    await work(documents.connection.collection('media'))
    await documents.close()
  }
  const keepAudioLate = () =>
    inDatabase(media => media.insertOne({ deleteAt: new Date(Date.now() - 2 * 86_400_000) }))

  const webhook = () => ({
    object: 'whatsapp_business_account',
    callback_url: `${sandbox.origin}/webhooks/whatsapp`,
    active: true,
    fields: [{ name: 'messages' }],
  })
  const endpoint = () => ({
    url: `${sandbox.origin}/webhooks/stripe`,
    status: 'enabled',
    enabled_events: ['*'],
    api_version: '2026-10-28.endive',
  })
  const scripts = {
    token: (facts = {}) => sandbox.script('GET /v26.0/debug_token', meta({ data: { ...TOKEN, ...facts } })),
    webhook: (facts = {}) =>
      sandbox.script(
        `GET /v26.0/${APP}/subscriptions`,
        meta({ data: [{ ...webhook(), ...facts }] }, `${APP}|${WHATSAPP.appSecret}`),
      ),
    apps: (...ids: string[]) =>
      sandbox.script(
        `GET /v26.0/${ACCOUNT}/subscribed_apps`,
        meta({ data: ids.map(id => ({ whatsapp_business_api_data: { id } })) }),
      ),
    endpoint: (facts = {}) =>
      sandbox.script('GET /v1/webhook_endpoints', json(200, { data: [{ ...endpoint(), ...facts }] })),
    updatesTo: (url: string) =>
      sandbox.script('POST /bot1:hush-of-telegram/getWebhookInfo', json(200, { ok: true, result: { url } })),
    ended(call: string) {
      sandbox.script(`POST /v1/${call}`, json(404, { error: { code: 'model_not_found' } }))
      return { OPENAI_MODEL: 'whisper-1' }
    },
    clock: (aheadMs: number) =>
      sandbox.script('HEAD /', response =>
        response.set('date', new Date(Date.now() - aheadMs).toUTCString()).end(),
      ),
  }

  beforeEach(async () => {
    storage.keeps = false
    await inDatabase(media => media.deleteMany({}))
    sandbox = await startTestSandbox({ whatsapp: WHATSAPP, stripe: STRIPE, mail: { smtpPort: 0 } })
    const { origin, script } = sandbox
    scripts.token()
    scripts.webhook()
    scripts.apps('1', APP)
    scripts.endpoint()
    script(`GET /v26.0/${WHATSAPP.phoneNumberId}`, meta(NUMBER))
    script('GET /v26.0/1/phone_numbers', meta({ data: [{ id: '2' }] }))
    script(`GET /v26.0/${ACCOUNT}/phone_numbers`, meta({ data: [{ id: WHATSAPP.phoneNumberId }] }))
    script('GET /api/config', json(200, { data: { whatsappNumber: WHATSAPP.number } }))
    script('GET /webhooks/whatsapp', (response, { query }) =>
      query['hub.verify_token'] === VERIFY_TOKEN
        ? response.type('text').send(String(query['hub.challenge']))
        : response.sendStatus(403),
    )
    script(
      'GET /2010-04-01/Accounts/AC1/Messages.json',
      held(basic('AC1', TWILIO_TOKEN), json(200, { messages: [] }), json(401, { code: 20003 })),
    )
    script(
      'POST /v1/audio/transcriptions',
      held(
        `Bearer ${OPENAI_KEY}`,
        json(200, { text: '' }),
        json(401, { error: { code: 'invalid_api_key' } }),
      ),
    )
    const word = { message: { content: '{"word":"hello"}' } }
    script('POST /v1/chat/completions', json(200, { choices: [word] }))
    script(
      'POST /bot1:hush-of-telegram/getMe',
      json(200, { ok: true, result: { username: 'voxscribe_bot' } }),
    )
    scripts.updatesTo(`${origin}/webhooks/telegram`)
    env = {
      PUBLIC_URL: origin,
      DATA_DIR: folder,
      MONGO_URL: mongo.url,
      WHATSAPP_GRAPH_URL: origin,
      WHATSAPP_NUMBER: '+1 555 078 3881',
      WHATSAPP_PHONE_NUMBER_ID: WHATSAPP.phoneNumberId,
      WHATSAPP_ACCESS_TOKEN: WHATSAPP.accessToken,
      WHATSAPP_APP_SECRET: WHATSAPP.appSecret,
      WHATSAPP_VERIFY_TOKEN: VERIFY_TOKEN,
      TWILIO_API_URL: origin,
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: TWILIO_TOKEN,
      TWILIO_WHATSAPP_NUMBER: '+14155238886',
      TELEGRAM_API_URL: origin,
      TELEGRAM_BOT_TOKEN: '1:hush-of-telegram',
      TELEGRAM_WEBHOOK_SECRET: 'hush-of-updates',
      STRIPE_API_URL: origin,
      STRIPE_SECRET_KEY: STRIPE.secretKey,
      STRIPE_WEBHOOK_SECRET: STRIPE.webhookSecret,
      STRIPE_PRICE_ID: SANDBOX_PRICE_ID,
      SMTP_URL: String(sandbox.smtpUrl),
      SPEECH_ENGINE: 'openai',
      OPENAI_API_KEY: OPENAI_KEY,
      OPENAI_BASE_URL: `${origin}/v1`,
      TEXT_MODEL: 'gpt-4o-mini',
      JWT_PRIVATE_KEY: keyPair.privateKey,
      JWT_PUBLIC_KEY: keyPair.publicKey,
      S3_ENDPOINT: storage.url,
      S3_BUCKET: 'media',
      S3_ACCESS_KEY_ID: 'doctor',
      S3_SECRET_ACCESS_KEY: 'hush-of-storage',
    }
  })
  afterEach(() => sandbox.stop())

  async function newPrice(cents: number): Promise<string> {
    const body = new URLSearchParams({
      currency: 'usd',
      unit_amount: String(cents),
      'recurring[interval]': 'month',
      'product_data[name]': 'Pro',
    })
    const headers = { authorization: `Bearer ${STRIPE.secretKey}` }
    const answer = await fetch(`${sandbox.origin}/v1/prices`, { method: 'POST', headers, body })
    return ((await answer.json()) as { id: string }).id
  }

  test('when all is right, then each line says what it saw, and none is wrong', async () => {
    const lines = await diagnose(env)
    expect(lines.map(({ name, state }) => `${state} ${name}`)).toEqual([
      'ok settings',
      'skipped production',
      'ok public-url',
      'ok sign-up',
      'skipped broker',
      'ok database',
      'ok whatsapp-token',
      'ok whatsapp-scopes',
      'ok whatsapp-number',
      'ok whatsapp-webhook',
      'ok whatsapp-account',
      'ok twilio',
      'ok telegram',
      'ok telegram-webhook',
      'ok smtp',
      'ok whatsapp-verify-token',
      'ok storage',
      'ok retention',
      'ok offer',
      'ok stripe-price',
      'ok stripe-webhook',
      'ok speech',
      'ok speech-model',
      'ok text-model',
      'ok keys',
      'ok disk',
      'ok clock',
    ])
    for (const { saw, next } of lines) expect([saw.length > 0, next]).toEqual([true, null])
    expect(lines[2]?.saw).toMatch(
      /^asked from this machine, .* no address of the internet.* your phone's network/,
    )
  })

  describe('in production', () => {
    const wrongLines = async (changed: Record<string, string>) =>
      Object.fromEntries(
        (await diagnose(changed)).flatMap(({ name, state, saw }) => (state === 'wrong' ? [[name, saw]] : [])),
      )

    test('when nothing is set, then each setting without which it refuses to start is wrong', async () => {
      const wrong = await wrongLines({ NODE_ENV: 'production', DATA_DIR: folder, SPEECH_ENGINE: 'local' })
      expect(wrong).toMatchObject({
        'public-url': 'PUBLIC_URL is not set: production does not do without it',
        'whatsapp-token': expect.stringContaining('WHATSAPP_ACCESS_TOKEN is not set'),
        'stripe-price': expect.stringContaining('STRIPE_SECRET_KEY is not set'),
        smtp: expect.stringContaining('SMTP_URL is not set'),
      })
    })

    const apart = (): Record<string, string> => ({
      ...env,
      NODE_ENV: 'production',
      RABBITMQ_URL: `amqp://me:hush-of-rabbit@${NO_ONE}`,
    })
    /** Whether any service refuses to start in its own process. */
    const isRefused = (given: Record<string, string>) =>
      SERVICES.some(name => {
        const parts = [serviceSettings[name], ...(name === 'gateway' ? [] : [standaloneSettings(name)])]
        return parts.some(settings => !settings.safeParse(given).success)
      })

    test.each(SERVICES)(
      'when a setting of %s has no sense, then the doctor refuses it as its start does',
      async service => {
        for (const name of settingsOf(service)) {
          const given = { ...apart(), [name]: '-?-' }
          const isSeen = typeof settingsFrom(given) === 'string'
          expect({ name, isSeen }).toEqual({ name, isSeen: isRefused(given) })
        }
      },
    )

    test('when a setting is missing without which a service refuses to start, then a line is wrong', async () => {
      expect(isRefused(apart())).toBe(false)
      const known = Object.keys(await wrongLines(apart()))
      const needed: string[] = []
      for (const name of Object.keys(apart())) {
        const { [name]: _, ...without } = apart()
        if (!isRefused(without)) continue
        needed.push(name)
        const wrong = await wrongLines(without)
        const found = Object.entries(wrong).filter(([line]) => !known.includes(line) || line === 'broker')
        expect({ name, found: found.some(([, saw]) => saw.includes(name)) }).toEqual({ name, found: true })
      }
      expect(needed).toEqual(
        expect.arrayContaining([
          'MONGO_URL',
          'RABBITMQ_URL',
          'JWT_PRIVATE_KEY',
          'JWT_PUBLIC_KEY',
          'SMTP_URL',
        ]),
      )
    })

    test.each(['SANDBOX', 'SANDBOX_PORT'])('when %s of one process has no sense, then it is wrong', name => {
      expect(settingsFrom({ ...env, [name]: '-?-' })).toMatch(name)
    })

    test('when stand-ins, settings for tests and published secrets are set, then each is named', async () => {
      const { production, 'public-url': address } = await wrongLines({
        ...env,
        NODE_ENV: 'production',
        SANDBOX_URL: sandbox.origin,
        HOOKS_ALLOW_PRIVATE: 'on',
        RATE_LIMITS: 'off',
        S3_ACCESS_KEY_ID: 'voxscribe',
        S3_SECRET_ACCESS_KEY: 'voxscribe-media',
        S3_BUCKET: 'voxscribe-media',
        RABBITMQ_URL: 'amqp://voxscribe:voxscribe@127.0.0.1:1',
      })
      for (const name of ['SANDBOX_URL', 'WHATSAPP_GRAPH_URL', 'STRIPE_API_URL', 'TWILIO_API_URL'])
        expect(production).toContain(name)
      expect(production).toMatch(/HOOKS_ALLOW_PRIVATE is for tests; RATE_LIMITS is for tests/)
      expect(production).toContain('RABBITMQ_URL is a published secret')
      expect(production).toContain('S3_SECRET_ACCESS_KEY is a published secret')
      expect(production).not.toContain('S3_BUCKET')
      expect(address).toMatch(/do not go to http:/)
    })

    test('when others reach the address, or SANDBOX is on, then that decides', async () => {
      expect(await wrongLines({ ...env, SANDBOX: 'off' })).toHaveProperty('production')
      const elsewhere = { ...env, PUBLIC_URL: 'http://voxscribe.invalid' }
      expect(await wrongLines(elsewhere)).toHaveProperty('production')
      expect(await wrongLines({ ...elsewhere, SANDBOX: 'on' })).not.toHaveProperty('production')
    })
  })

  test('when nothing is set, then all that npm start brings along is skipped', async () => {
    const lines = await diagnose({
      DATA_DIR: folder,
      MODEL_DIR: join(folder, 'none'),
      SPEECH_ENGINE: 'local',
    })
    const seen = lines.filter(({ state }) => state !== 'skipped').map(({ name, state }) => `${state} ${name}`)
    expect(seen).toEqual(['ok settings', 'ok sign-up', 'ok offer', 'wrong speech', 'ok disk'])
    expect(JSON.stringify(lines)).not.toContain('hidden')
  })

  test.each([
    [{ FREE_MINUTES: '41' }, '41 minutes a month are free, the paid plan is offered'],
    [{ PLANS: 'off' }, '30 minutes a month are free, nothing is sold'],
    [{ FREE_MINUTES: 'off' }, 'minutes have no limit, nothing is sold'],
  ])('when %j is set, then it says %j, and asks Stripe only about a plan', async (changed, said) => {
    const lines = await diagnose({ ...env, ...changed })
    expect(lines.find(({ name }) => name === 'offer')?.saw).toBe(said)
    const stripe = lines.filter(({ name }) => name.startsWith('stripe-')).map(({ state }) => state)
    expect(new Set(stripe)).toEqual(new Set([said.includes('nothing is sold') ? 'skipped' : 'ok']))
  })

  test.each([
    ['folder', async (model: string) => chmod(model, 0)],
    ['file', async (model: string) => chmod(join(model, 'tokens.txt'), 0)],
  ])('when only another user may read a %s of the model, then it says whose it is', async (what, lock) => {
    const model = join(folder, 'models', what)
    await mkdir(model, { recursive: true })
    await chmod(folder, 0o755)
    for (const { name } of MODELS[0]!.files) await writeFile(join(model, name), 'x')
    await lock(model)
    const user = process.geteuid!()
    // Root may read everything, so the test gives it up.
    if (user === 0) process.seteuid!(65_534)
    const settings = { DATA_DIR: tmpdir(), SPEECH_ENGINE: 'local', LOCAL_MODEL: model }
    const lines = await diagnose(settings).finally(() => process.seteuid!(user))
    const path = what === 'folder' ? model : join(model, 'tokens.txt')
    const runner = user || 65_534
    expect(lines.find(({ name }) => name === 'speech')).toMatchObject({
      saw: `${path} belongs to user ${user} (mode 0): user ${runner}, as whom this runs, may not read it`,
      next: `Run Voxscribe as user ${user}, or make it readable: chmod -R a+rX ${path}`,
    })
  })

  const NO_ONE = '127.0.0.1:9'
  /** The next step in each line. */
  const NEXT: Record<string, RegExp> = {
    settings: /docs\/configuration/,
    'public-url': /Start Voxscribe/,
    'whatsapp-token': /never expires/,
    'whatsapp-scopes': /whatsapp_business_messaging/,
    'whatsapp-number': /NUMBER=15550783881|API Setup/,
    'whatsapp-webhook':
      /App settings → Basic|callback URL http:.*\/webhooks\/whatsapp.* subscribe to "messages"/,
    'whatsapp-account': /POST .*\/102290129340398\/subscribed_apps/,
    'whatsapp-verify-token': /Restart/,
    twilio: /Twilio’s console/,
    telegram: /TELEGRAM_BOT_TOKEN/,
    'telegram-webhook': /Restart notification/,
    'stripe-price': /4.99 USD a month/,
    'stripe-webhook': /send the events of docs\/providers.* to http:.*\/webhooks\/stripe/,
    smtp: /SMTP_URL/,
    speech: /npm run model|OPENAI_MODEL=gpt-transcribe/,
    'text-model': /TEXT_MODEL/,
    disk: /Free a gigabyte/,
    clock: /set-ntp/,
    broker: /RABBITMQ_URL/,
    database: /MONGO_URL/,
    keys: /keys.mjs/,
    storage: /S3_BUCKET/,
    retention: /ingestion’s log/,
  }
  const tomorrow = () => Math.floor(Date.now() / 1000) + 86_400
  test.each<[fault: string, line: string, change: () => unknown]>([
    ['a setting has no sense', 'settings', () => ({ STRIPE_API_URL: 'nonsense' })],
    ['half of Stripe is set', 'settings', () => ({ STRIPE_WEBHOOK_SECRET: '' })],
    ['nobody is at the address', 'public-url', () => ({ PUBLIC_URL: `http://${NO_ONE}` })],
    ['another program is there', 'public-url', () => sandbox.script('GET /api/config', json(200, 'Hi!'))],
    ['the token is wrong', 'whatsapp-token', () => ({ WHATSAPP_ACCESS_TOKEN: 'EAAG-wrong' })],
    ['the token was revoked', 'whatsapp-token', () => scripts.token({ is_valid: false })],
    ['the token ends tomorrow', 'whatsapp-token', () => scripts.token({ expires_at: tomorrow() })],
    ['the token may not send', 'whatsapp-scopes', () => scripts.token({ scopes: [MANAGEMENT] })],
    ['the number is another', 'whatsapp-number', () => ({ WHATSAPP_NUMBER: '4930123456' })],
    ['Meta has no such number', 'whatsapp-number', () => ({ WHATSAPP_PHONE_NUMBER_ID: '10654' })],
    ['the app secret is wrong', 'whatsapp-webhook', () => ({ WHATSAPP_APP_SECRET: 'hush-of-another-app' })],
    ['Meta calls elsewhere', 'whatsapp-webhook', () => scripts.webhook({ callback_url: ELSEWHERE })],
    ['messages are left out', 'whatsapp-webhook', () => scripts.webhook({ fields: [{ name: 'account' }] })],
    ['the account sends nothing to the app', 'whatsapp-account', () => scripts.apps('1')],
    ['the webhook has another token', 'whatsapp-verify-token', () => ({ WHATSAPP_VERIFY_TOKEN: 'hush-new' })],
    ['Twilio refuses the token', 'twilio', () => ({ TWILIO_AUTH_TOKEN: 'hush-old-token' })],
    ['Telegram refuses the token', 'telegram', () => ({ TELEGRAM_BOT_TOKEN: '2:hush-of-another' })],
    ['updates of Telegram go elsewhere', 'telegram-webhook', () => scripts.updatesTo(ELSEWHERE)],
    ['Stripe refuses the key', 'stripe-price', () => ({ STRIPE_SECRET_KEY: 'sk_test_old_hush' })],
    ['the price is unknown', 'stripe-price', () => ({ STRIPE_PRICE_ID: 'price_x' })],
    ['the price is another', 'stripe-price', async () => ({ STRIPE_PRICE_ID: await newPrice(999) })],
    ['Stripe calls elsewhere', 'stripe-webhook', () => scripts.endpoint({ url: ELSEWHERE })],
    ['Stripe’s webhook is off', 'stripe-webhook', () => scripts.endpoint({ status: 'disabled' })],
    [
      'payments are left out',
      'stripe-webhook',
      () => scripts.endpoint({ enabled_events: ['charge.refunded'] }),
    ],
    [
      'Stripe’s events have another version',
      'stripe-webhook',
      () => scripts.endpoint({ api_version: '2024-06-20' }),
    ],
    ['Stripe’s events have any version', 'stripe-webhook', () => scripts.endpoint({ api_version: null })],
    ['no mail server is there', 'smtp', () => ({ SMTP_URL: `smtp://me:hush-of-mail@${NO_ONE}` })],
    ['the engine refuses the key', 'speech', () => ({ OPENAI_API_KEY: 'sk-hush-old' })],
    ['no engine is here', 'speech', () => ({ SPEECH_ENGINE: 'local', MODEL_DIR: join(folder, 'none') })],
    ['OpenAI has ended the model', 'speech', () => scripts.ended('audio/transcriptions')],
    ['OpenAI has ended the text model', 'text-model', () => scripts.ended('chat/completions')],
    ['the disk is full', 'disk', () => ({ DATA_DIR: '/proc' })],
    ['the clock is ten seconds ahead', 'clock', () => scripts.clock(10_000)],
    ['no broker is there', 'broker', () => ({ RABBITMQ_URL: `amqp://me:hush-of-rabbit@${NO_ONE}` })],
    ['the public key is another one', 'keys', () => ({ JWT_PUBLIC_KEY: newKeyPair().publicKey })],
    ['the bucket is not there', 'storage', () => ({ S3_BUCKET: 'elsewhere' })],
    ['no storage is there', 'storage', () => ({ S3_ENDPOINT: `http://${NO_ONE}` })],
    ['the storage keeps what is deleted', 'storage', () => storage.keepAll()],
    ['audio is kept for too long', 'retention', () => keepAudioLate()],
    ['a password has a bare %', 'database', () => ({ MONGO_URL: `mongodb://me:100%hush@${NO_ONE}` })],
    ['no database is there', 'database', () => ({ MONGO_URL: `mongodb://me:hush-of-mongo@${NO_ONE}` })],
  ])(
    'when %s, then only the line %s is wrong, with its next step',
    async (_fault, line, change) => {
      const changed = { ...env, ...((await change()) as object | undefined) }
      const lines = await diagnose(changed)
      expect(lines.filter(({ state }) => state === 'wrong').map(({ name }) => name)).toEqual([line])
      expect(lines.find(({ name }) => name === line)?.next).toMatch(NEXT[line]!)
      expect(JSON.stringify(lines)).not.toMatch(/hush|EAAG/)
    },
    30_000,
  )

  test.each([
    ['for people', [], /^wrong {4}settings {2}STRIPE_API_URL: .*\n {19}→ Correct them/],
    [
      'for programs',
      ['--json'],
      /^\[\s*\{\s*"name": "settings",\s*"state": "wrong",\s*"saw": ".*",\s*"next": ".*"/,
    ],
  ])('when a line is wrong, then the output %s has it, and the exit code is 1', (_whom, args, output) => {
    const { status, stdout } = spawnSync(process.execPath, ['deploy/local/doctor/main.ts', ...args], {
      cwd: join(import.meta.dirname, '../../..'),
      env: { PATH: process.env.PATH, STRIPE_API_URL: 'nonsense' },
      encoding: 'utf8',
    })
    expect(stdout).toMatch(output)
    expect(status).toBe(1)
  })

  test.each([
    ['whisper-1', 'auto', { state: 'wrong', saw: 'OpenAI ends whisper-1 on 2027-02-26' }],
    ['gpt-4o-mini-transcribe-2025-12-15', 'openai', { state: 'wrong' }],
    ['gpt-transcribe', 'openai', { state: 'ok', next: null }],
    ['whisper-1', 'local', { state: 'ok' }],
  ])('when the model is %s for SPEECH_ENGINE=%s, then its end is known', async (model, engine, finding) => {
    const settings = settingsFrom({ OPENAI_API_KEY: OPENAI_KEY, OPENAI_MODEL: model, SPEECH_ENGINE: engine })
    if (typeof settings === 'string') throw new Error(settings)
    const found = transcriptionChecks(settings).find(({ name }) => name === 'speech-model')
    expect(await found?.look()).toMatchObject(finding)
  })

  test('when a secret stands in an error, then it is hidden', async () => {
    const look = async () => {
      throw new Error('no\nroute for hunter2', { cause: new Error('hunter2 is wrong') })
    }
    expect(await examine([check('a', 'b', look)], ['hunter2'])).toEqual([
      { name: 'a', state: 'wrong', saw: 'no route for [hidden]: [hidden] is wrong', next: 'b' },
    ])
  })

  test('when a check does not answer, then it is wrong after its time, and others go on', async () => {
    const silent = check('silent', 'Wake it.', () => new Promise<never>(() => {}))
    const later = check('later', '', async () => ok('never'), 'silent')
    const other = check('other', '', async () => ok('fine'))
    expect(await examine([silent, later, other], [], 50)).toEqual([
      { name: 'silent', state: 'wrong', saw: 'no answer in 0.05 s', next: 'Wake it.' },
      { name: 'later', state: 'skipped', saw: 'silent comes first', next: null },
      { name: 'other', state: 'ok', saw: 'fine', next: null },
    ])
  })
})
