import { eventually } from '@voxscribe/service/testing'
import { authForAll, newPerson } from '../testing.ts'

const auth = authForAll()

test.each(['put', 'post'] as const)(
  'when fields are changed by %s, then the account has them',
  async method => {
    const { user, accessToken } = await auth.signedUp()
    const email = `new-${user.email}`
    const body = {
      first_name: ' Augusta ',
      email: email.toUpperCase(),
      wa_language: 'cy',
      late_answers: 'chat',
      gist: 'never',
    }
    const answer =
      method === 'put'
        ? await auth.put('/users/profile', body, accessToken)
        : await auth.post('/users/update-profile', body, accessToken)
    const expected = {
      ...user,
      first_name: 'Augusta',
      name: 'Augusta Lovelace',
      email,
      wa_language: 'cy',
      late_answers: 'chat',
      gist: 'never',
    }
    expect([answer.status, answer.body.message]).toEqual([200, 'Profile updated successfully!'])
    expect(answer.body.data).toEqual({ user: expected })
    expect((await auth.get('/users/profile', accessToken)).body.data).toEqual({ user: expected })
    await eventually(() => auth.updatesOf(user.id).length === 1)
    expect(auth.updatesOf(user.id)[0]?.data).toMatchObject({
      email,
      language: 'cy',
      gists: 'never',
      revision: 1,
    })
  },
)

test('when nothing differs, then it is 200 without an event', async () => {
  const { user, person, accessToken } = await auth.signedUp()
  const same = {
    first_name: 'Ada',
    wtp_number: `(${person.wtp_number.slice(0, 3)}) ${person.wtp_number.slice(3)}`,
  }
  const { status, body } = await auth.put('/users/profile', same, accessToken)
  expect([status, body.data.user]).toEqual([200, user])
  expect((await auth.storedUser(user.id))?.revision).toBe(0)
})

describe('when a person chooses what becomes of their audio', () => {
  const choose = async (...bodies: object[]) => {
    const { user, accessToken } = await auth.signedUp()
    let shown: { keep_audio: boolean; retention_days: number } | undefined
    for (const body of bodies)
      shown = (await auth.post('/users/update-profile', body, accessToken)).body.data.user
    const sent = await eventually(() => {
      const updates = auth.updatesOf(user.id)
      return updates.length === bodies.length && updates
    })
    return { shown, choices: sent.map(({ data }) => data.audio), times: sent.map(sent => sent.occurredAt) }
  }

  test('then others get it with the time from which it counts', async () => {
    const begun = new Date().toISOString()
    const { shown, choices } = await choose({ keep_audio: false }, { retention_days: 7 }, { first_name: 'A' })
    expect(shown).toMatchObject({ keep_audio: false, retention_days: 7 })
    const since = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(choices).toEqual([
      { keep: false, since },
      { keep: false, days: 7, since },
      { keep: false, days: 7, since },
    ])
    expect(choices[2]).toEqual(choices[1])
    expect(choices.every(choice => choice!.since >= begun)).toBe(true)
  })

  test('also for what is there, then it counts from the beginning on', async () => {
    const { choices } = await choose({ retention_days: 7 }, { apply_to_existing: true })
    expect(choices[1]).toEqual({ keep: true, days: 7, since: '1970-01-01T00:00:00.000Z' })
  })
})

test('when no field is given, then 400 says so', async () => {
  const { accessToken } = await auth.signedUp()
  const { status, body } = await auth.post('/users/update-profile', { nickname: 'x' }, accessToken)
  expect(status).toBe(400)
  expect(body.message).toBe('Please make at least one change to update your profile')
})

test('when the number changes, then it must be proved again with a new link code', async () => {
  const { user, accessToken } = await auth.signedUp()
  await auth.setUser(user.id, { $set: { linked: true } })
  const body = { wtp_number: '07911 999001', country_code: '826' }
  const answer = await auth.put('/users/profile', body, accessToken)
  expect(answer.body.data.user).toMatchObject({
    wtp_number: '7911999001',
    country_code: '826',
    linked: false,
    link_code: expect.not.stringMatching(user.link_code),
  })
  const update = await eventually(() => auth.updatesOf(user.id)[0])
  expect(update.data).toMatchObject({
    phone: '447911999001',
    linkCode: answer.body.data.user.link_code,
    revision: 1,
  })
})

test('when a linked number is written in another way, then it is still linked', async () => {
  const wtp_number = `55 1${newPerson().wtp_number.slice(-7)}`
  const { user, accessToken } = await auth.signedUp({ ...newPerson(), wtp_number, country_id: '484' })
  await auth.setUser(user.id, { $set: { linked: true } })
  const { body } = await auth.put('/users/profile', { wtp_number: `1 ${wtp_number}` }, accessToken)
  expect(body.data.user).toMatchObject({ linked: true, link_code: user.link_code })
})

test('when only the country changes, then the number is read as one of that country', async () => {
  const { user, accessToken } = await auth.signedUp({
    ...newPerson(),
    wtp_number: '79112220011',
    country_id: '643',
  })
  const { body } = await auth.put('/users/profile', { country_code: '398' }, accessToken)
  // Russia and Kazakhstan share a calling code, so the number stays the same.
  expect(body.data.user).toEqual({ ...user, country_code: '398' })
  const impossible = await auth.put('/users/profile', { country_code: '570' }, accessToken)
  const fault = { field: 'wtp_number', code: 'impossible_number' }
  expect(impossible).toMatchObject({ status: 400, body: { errors: [fault] } })
})

test.each([
  ['email', 'An account with this email already exists'],
  ['wtp_number', 'This WhatsApp number is already registered'],
] as const)('when the %s belongs to another account, then 409', async (field, message) => {
  const other = await auth.signedUp()
  const { accessToken } = await auth.signedUp()
  const { status, body } = await auth.put('/users/profile', { [field]: other.person[field] }, accessToken)
  expect([status, body.message]).toEqual([409, message])
})

test('when two changes come at once, then neither is lost', async () => {
  const { user, accessToken } = await auth.signedUp()
  await Promise.all([
    auth.put('/users/profile', { first_name: 'Augusta' }, accessToken),
    auth.put('/users/profile', { last_name: 'King' }, accessToken),
  ])
  const { body } = await auth.get('/users/profile', accessToken)
  expect(body.data.user.name).toBe('Augusta King')
  await eventually(() => auth.updatesOf(user.id).length === 2)
  const revisions = auth.updatesOf(user.id).map(({ data }) => data.revision)
  expect(revisions.sort()).toEqual([1, 2])
})

describe('when the installation keeps audio for longer', () => {
  const long = authForAll({ RETENTION_DAYS: '90' })

  test('then a person can choose all of its days', async () => {
    const { accessToken } = await long.signedUp()
    const choose = (retention_days: number) => long.put('/users/profile', { retention_days }, accessToken)
    await choose(7)
    expect((await choose(90)).body.data.user.retention_days).toBe(90)
    const message = 'retention_days must be from 1 to 90'
    expect(await choose(91)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'retention_days', message }] },
    })
  })
})

test.each([
  ['country_code', { country_code: '000' }],
  ['wa_language', { wa_language: 'klingon' }],
  ['late_answers', { late_answers: 'pigeon' }],
  ['gist', { gist: 'sometimes' }],
  ['keep_audio', { keep_audio: 'no' }],
  ['retention_days', { retention_days: 0 }],
  ['retention_days', { retention_days: 31 }],
  ['retention_days', { retention_days: '7' }],
  ['apply_to_existing', { keep_audio: false, apply_to_existing: 'yes' }],
  ['wtp_number', { wtp_number: '1' }],
  ['email', { email: '@' }],
  ['first_name', { first_name: '' }],
  ['last_name', { last_name: 'x'.repeat(101) }],
  ['email', { email: { $ne: null } }],
])('when %s is bad, then 400 names it', async (field, body) => {
  const { accessToken } = await auth.signedUp()
  const answer = await auth.put('/users/profile', body, accessToken)
  expect([answer.status, answer.body.errors?.map(error => error.field)]).toEqual([400, [field]])
})

test('when the account of a token is gone, then 401', async () => {
  const { user, accessToken } = await auth.signedUp()
  await auth.stored('users').deleteOne({ _id: user.id })
  expect((await auth.get('/users/profile', accessToken)).status).toBe(401)
  expect((await auth.put('/users/profile', { first_name: 'A' }, accessToken)).status).toBe(401)
})

test('when countries and languages are asked for, then they come without a token', async () => {
  const countries = await auth.get('/users/countries')
  expect(countries.body.data).toContainEqual({
    id: '840',
    code: 'US',
    iso: 'USA',
    label: 'United States',
    phonecode: '+1',
  })
  const languages = await auth.get('/users/languages')
  expect(languages.body.data[0]).toEqual({ id: 'auto', label: 'Auto-detect' })
  expect(languages.body.data).toContainEqual({ id: 'en', label: 'English' })
})

test('when no time zone was chosen, then it is that of the country; a known one is kept, another is 400', async () => {
  const { user, accessToken } = await auth.signedUp()
  expect(user.time_zone).toBe('America/New_York')
  const change = (time_zone: string) => auth.put('/users/profile', { time_zone }, accessToken)
  expect((await change('Asia/Kolkata')).body.data.user.time_zone).toBe('Asia/Kolkata')
  const update = await eventually(() => auth.updatesOf(user.id)[0])
  expect(update.data.timeZone).toBe('Asia/Kolkata')
  for (const wrong of ['Mars/Olympus', '', 'x'.repeat(101)]) {
    const { status, body } = await change(wrong)
    expect([status, body.errors?.map(({ field }) => field)]).toEqual([400, ['time_zone']])
  }
})
