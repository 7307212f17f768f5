import { LINK_CODE } from '@voxscribe/contracts/business'
import { UserRegistered } from '@voxscribe/contracts/events'
import { eventually } from '@voxscribe/service/testing'
import { authForAll, newPerson } from '../testing.ts'

const auth = authForAll()

test('when a person signs up, then they get their account and are signed in', async () => {
  const person = {
    ...newPerson(),
    email: '  Grace@Example.COM ',
    wtp_number: '020 7946 0958',
    country_id: '826',
  }
  const { status, body } = await auth.post('/auth/register', person)
  expect(status).toBe(201)
  expect(body).toEqual({
    success: true,
    message: 'Account created successfully!',
    data: {
      user: {
        id: expect.any(String),
        first_name: 'Ada',
        last_name: 'Lovelace',
        name: 'Ada Lovelace',
        email: 'grace@example.com',
        wtp_number: '2079460958',
        country_code: '826',
        wa_language: 'auto',
        ui_language: 'en',
        late_answers: 'mail',
        gist: 'long',
        keep_audio: true,
        retention_days: 30,
        time_zone: 'Europe/London',
        link_code: expect.stringMatching(LINK_CODE),
        linked: false,
      },
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
    },
  })
  const profile = await auth.get('/users/profile', body.data.accessToken)
  expect(profile.body.data.user).toEqual(body.data.user)
})

test('when a person signs up, then the event for other services has no password', async () => {
  const { user, person } = await auth.signedUp()
  const registered = await eventually(() =>
    auth.others.sent('UserRegistered').find(event => event.data.userId === user.id),
  )
  expect(UserRegistered.parse(registered)).toEqual(registered)
  expect(registered.data).toEqual({
    userId: user.id,
    phone: `1${person.wtp_number}`,
    linkCode: user.link_code,
    generation: 0,
    passwordGeneration: 0,
    provedEmail: person.email,
    country: 'US',
    language: 'auto',
    uiLanguage: 'en',
    timeZone: 'America/New_York',
    email: person.email,
    firstName: 'Ada',
    lastName: 'Lovelace',
    phoneClaimedAt: expect.any(String),
    revision: 0,
    registeredAt: expect.any(String),
  })
})

const SHORT = { country_id: '484', wtp_number: '55 3333 2222' }
const LONG = { country_id: '484', wtp_number: '+52 1 55 3333 2222' }
test.each([
  ['e-mail address', { email: 'Twice@example.com' }, { email: 'tWICE@example.com' }, 'email_taken'],
  ['line', SHORT, LONG, 'phone_taken'],
])('when the %s is registered in another notation, then 409', async (_what, first, again, code) => {
  await auth.signedUp({ ...newPerson(), ...first })
  const { status, body } = await auth.post('/auth/register', { ...newPerson(), ...again })
  expect([status, body.code]).toEqual([409, code])
})

test.each([
  ['e-mail address', 'email', 'An account with this email already exists'],
  ['number', 'wtp_number', 'This WhatsApp number is already registered'],
] as const)(
  'when ten people sign up with one %s at once, then one gets in',
  async (_what, field, message) => {
    const shared = newPerson()[field]
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => auth.post('/auth/register', { ...newPerson(), [field]: shared })),
    )
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(1)
    const refused = answers.filter(answer => answer.status === 409)
    expect(refused).toHaveLength(9)
    expect(new Set(refused.map(answer => answer.body.message))).toEqual(new Set([message]))
  },
)

test.each([
  ['country_id', { country_id: '999' }],
  ['wtp_number', { wtp_number: '123' }],
  ['email', { email: 'not an address' }],
  ['email', { email: { $gt: '' } }],
  ['password', { password: 'seven77' }, 'Password must be at least 8 characters long'],
  ['password', { password: 'x'.repeat(201) }],
  ['first_name', { first_name: '   ' }],
  ['last_name', { last_name: null }],
  ['last_name', { last_name: ['a'] }],
])('when %s is bad, then 400 names it', async (field, bad, sentence = '') => {
  const { status, body } = await auth.post('/auth/register', { ...newPerson(), ...bad })
  expect(status).toBe(400)
  expect(body.errors?.map(error => error.field)).toEqual([field])
  expect(body.message).toBe(sentence || body.errors?.[0]?.message)
})

test('when unknown fields and prototype keys come along, then they are ignored', async () => {
  const body = JSON.stringify({ ...newPerson(), linked: true, _id: 'mine' }).replace(
    /^\{/,
    '{"__proto__":{"linked":true},"constructor":{"prototype":{}},',
  )
  const answer = await auth.post('/auth/register', body)
  expect(answer.status).toBe(201)
  expect(answer.body.data.user).toMatchObject({ linked: false, id: expect.not.stringMatching('mine') })
})

test.each([
  ['it names a language', { ui_language: 'pt-BR' }, 'de', 'pt'],
  ['its browser prefers one that we speak', {}, 'tlh, fr-CA;q=0.9, en;q=0.8', 'fr'],
  ['its browser prefers none that we speak', {}, 'tlh', 'en'],
])(
  'when a person signs up and %s, then that is the language of their texts',
  async (_, named, header, id) => {
    const person = { ...newPerson(), ...named }
    const { body } = await auth.post('/auth/register', person, undefined, { 'accept-language': header })
    expect(body.data.user.ui_language).toBe(id)
  },
)

test('when a person signs up in a language that we do not speak, then the field says so', async () => {
  const { status, body } = await auth.post('/auth/register', { ...newPerson(), ui_language: 'tlh' })
  expect(status).toBe(400)
  expect(body.errors).toEqual([{ field: 'ui_language', message: 'Please choose a language' }])
})
