import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { testKeys } from '../testing.ts'
import { baseSettings, deadLetterTtl, httpSettings } from './common-settings.ts'
import {
  checkSettings,
  duration,
  origin,
  pem,
  rate,
  readSettings,
  SettingsError,
  trustProxy,
} from './settings.ts'

const rsaPublicKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .publicKey.export({ type: 'spki', format: 'pem' })
  .toString()

test('when several settings are wrong, then the start stops with a line for each', () => {
  const read = () =>
    readSettings(baseSettings, { PORT: 'eighty', MONGO_URL: 'mysql://db', RATE_LIMITS: 'maybe' })
  expect(read).toThrow(/^These settings are wrong:\n {2}PORT: must be a whole number/)
  expect(read).toThrow('MONGO_URL: must begin with mongodb:// or mongodb+srv://')
  expect(read).toThrow('RATE_LIMITS: must be on or off')
})

test('when parts of one process have wrong settings, then all are named, each once', () => {
  const check = () =>
    checkSettings([
      { settings: z.object({ A: duration('1s'), B: rate('1/1s') }), env: { A: 'x', B: 'y' } },
      { settings: z.object({ A: duration('1s'), C: origin }), env: { A: 'x', C: 'https://c.example' } },
    ])
  expect(check).toThrow(SettingsError)
  expect(check).toThrow(
    /^These settings are wrong:\n {2}A: must be a duration such as 2s, 15m or 30d\n {2}B: must be a rate such as 10\/15m$/,
  )
})

test('when a setting is empty, then its default holds; one that is needed is named', () => {
  expect(() => readSettings(baseSettings, { MONGO_URL: '' })).toThrow('MONGO_URL: is needed')
  expect(readSettings(baseSettings, { PORT: '', MONGO_URL: 'mongodb://db/' }).PORT).toBe(8080)
})

test('when spaces or line breaks are around a setting, then they are no part of it; alone they are none', () => {
  const given = { PORT: '  ', LOG_LEVEL: ' warn', RATE_LIMITS: 'off ', MONGO_URL: 'mongodb://db/\n' }
  const read = { PORT: 8080, LOG_LEVEL: 'warn', RATE_LIMITS: false, MONGO_URL: 'mongodb://db/' }
  expect(readSettings(baseSettings, given)).toMatchObject(read)
  expect(() => readSettings(baseSettings, { MONGO_URL: '\n' })).toThrow('MONGO_URL: is needed')
})

test.each(['rabbit:5672', 'amqp://', 'http://rabbit', 'amqp://rabbit:99999'])(
  'when the address of RabbitMQ is %s, then the sentence says what one looks like',
  RABBITMQ_URL => {
    expect(() => readSettings(baseSettings, { MONGO_URL: 'mongodb://db/', RABBITMQ_URL })).toThrow(
      /^These settings are wrong:\n {2}RABBITMQ_URL: must be an address such as amqp:\/\/user:password@host:5672$/,
    )
  },
)

test.each(['a@b', 'a/b@c', 'a/b', 'a?b', 'a#b'])(
  'when the password %s is in the address of RabbitMQ as it is, then it is refused',
  password => {
    const read = (inAddress: string) =>
      readSettings(baseSettings, {
        MONGO_URL: 'mongodb://db/',
        RABBITMQ_URL: `amqp://me:${inAddress}@rabbitmq:5672/v`,
      })
    expect(() => read(password)).toThrow('RABBITMQ_URL: must have @, /, ? and # in a password as %40')
    const encoded = encodeURIComponent(password)
    expect(read(encoded).RABBITMQ_URL).toContain(encoded)
  },
)

test.each([
  ['[::]', '::'],
  [' ::1 ', '::1'],
  ['10.0.0.1', '10.0.0.1'],
])('when the address to listen on is %j, then it is %s', (HOST, expected) => {
  expect(readSettings(baseSettings, { HOST, MONGO_URL: 'mongodb://db/' }).HOST).toBe(expected)
})

test('when a setting is in a file, then it is read from there, without its last line break', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'settings-')), 'mongo')
  writeFileSync(file, 'mongodb://db/\n')
  expect(readSettings(baseSettings, { MONGO_URL_FILE: file }).MONGO_URL).toBe('mongodb://db/')
  const both = { MONGO_URL_FILE: file, MONGO_URL: 'mongodb://other/' }
  expect(readSettings(baseSettings, both).MONGO_URL).toBe('mongodb://other/')
  const derived = baseSettings.transform(settings => settings.MONGO_URL)
  expect(readSettings(derived, { MONGO_URL_FILE: file })).toBe('mongodb://db/')
  expect(() => readSettings(baseSettings, { MONGO_URL_FILE: '/nowhere/mongo' })).toThrow(
    'MONGO_URL_FILE: cannot be read (ENOENT)',
  )
})

test('when a setting ends in _FILE itself, then it is no file to read', () => {
  const env = { MONGO_URL: 'mongodb://db/', LOG_FILE: '/nowhere/log' }
  expect(readSettings(baseSettings, env).LOG_FILE).toBe('/nowhere/log')
})

const PEM = '-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----\n'
test.each([
  ['500ms', 500, duration('1s')],
  ['2s', 2_000, duration('1s')],
  ['15m', 900_000, duration('1s')],
  ['30d', 2_592_000_000, duration('1s', '30d')],
  [undefined, { points: 10, seconds: 900 }, rate('10/15m')],
  ['1', 1, trustProxy],
  ['true', true, trustProxy],
  ['false', false, trustProxy],
  ['10.0.0.0/8', '10.0.0.0/8', trustProxy],
  ['https://graph.example/', 'https://graph.example', origin],
  [Buffer.from(PEM).toString('base64'), PEM, pem],
  [PEM.replaceAll('\n', '\\n'), PEM, pem],
])('when a setting is %j, then it is read as %j', (text, expected, setting) => {
  expect(setting.parse(text)).toEqual(expected)
})

test.each([
  ...['2', 's', '-1s', '1.5h', '2 s', '1w', '0s', '00d'].map(
    text => ['a duration', duration('1s'), text] as const,
  ),
  // Node's timers fire at once beyond this limit.
  ...['25d', '999999999999999999999d'].map(text => ['at most 24d', duration('1s'), text] as const),
  ['at most 49d', deadLetterTtl, '50d'] as const,
  ...['10 per minute', '10/0s', '0/15m'].map(text => ['a rate', rate('1/1s'), text] as const),
  ...['yes', '-1', '10.0.0.0/99'].map(text => ['a number of hops', trustProxy, text] as const),
  // A version would be appended to it.
  ['an origin only', origin, 'https://graph.example/v26.0'] as const,
  ['a PEM', pem, 'secret'] as const,
])('when %s is expected, then another form is refused', (what, setting, text) => {
  expect(() => setting.parse(text)).toThrow(`must be ${what}`)
})

test.each([
  ['is no key', PEM],
  ['is cut off', testKeys.publicKey.slice(0, 60)],
  ['is private', testKeys.privateKey],
  ['has another kind of key behind a good one', testKeys.publicKey + rsaPublicKey],
])('when JWT_PUBLIC_KEY %s, then it is named', (_what, JWT_PUBLIC_KEY) => {
  expect(() => readSettings(httpSettings, { JWT_PUBLIC_KEY })).toThrow(
    'JWT_PUBLIC_KEY: must be public keys on the curve P-256',
  )
})
