import { call } from '../session/client.ts'
import { failure, fakeApi, noNetwork } from '../testing/fake-api.ts'
import { speak } from '../testing/speak.ts'
import { messageOf } from '../ui/feedback/toast.ts'
import { networkErrorFrom } from './errors.ts'
import { http } from './http.ts'

describe('when an answer has no message', () => {
  test.each([
    [400, 'Invalid request. Please check your input.'],
    [401, 'Authentication failed.'],
    [403, 'Access denied.'],
    [404, 'Resource not found.'],
    [409, 'Conflict. Resource already exists.'],
    [500, 'Server error. Please try again later.'],
    [502, 'Server error. Please try again later.'],
    [503, 'Server error. Please try again later.'],
    [418, 'Something went wrong'],
    [429, 'Something went wrong'],
  ])('then status %i reads %j', async (status, message) => {
    fakeApi({ config: () => failure(status) })
    await expect(call('config')).rejects.toMatchObject({ name: 'ApiError', message, status })
  })

  test('then a 200 that is no success leaves the words to the screen', async () => {
    fakeApi({ config: () => failure(200) })
    const error = await call('config').catch(cause => cause)
    expect(error.status).toBe(200)
    expect(messageOf(error, 'Failed to load profile')).toBe('Failed to load profile')
  })
})

describe('when an answer has a message', () => {
  test.each([200, 400, 401, 404, 409, 422, 429, 500])('then status %i shows it', async status => {
    fakeApi({ config: () => failure(status, 'The server has its own words') })
    await expect(call('config')).rejects.toMatchObject({ message: 'The server has its own words', status })
  })

  test.each([[42], [null], [{ html: 'x' }], ['   ']])('then %j is not taken for one', async message => {
    fakeApi({ config: () => ({ status: 500, body: { success: false, message } }) })
    await expect(call('config')).rejects.toThrow('Server error. Please try again later.')
  })
})

test.each([['<html>Bad gateway</html>'], [''], [null], [[]]])(
  'when a proxy answers 502 with %j, then it is a server error like any other',
  async body => {
    fakeApi({ config: () => ({ status: 502, body }) })
    await expect(call('config')).rejects.toThrow('Server error. Please try again later.')
  },
)

test('when a page comes back in place of an answer, then the call has not worked', async () => {
  fakeApi({ config: () => ({ status: 200, body: '<!doctype html><title>Voxscribe</title>' }) })
  const error = await call('config').catch(cause => cause)
  expect(messageOf(error, 'An error occurred')).toBe('An error occurred')
})

test('when no answer comes, then the network is named', async () => {
  fakeApi({ config: noNetwork })
  await expect(call('config')).rejects.toMatchObject({
    message: 'Network error. Please check your internet connection and try again.',
    status: 0,
  })
})

test('when something that is no error is thrown, then it still reads as one', () => {
  expect(networkErrorFrom('oops').message).toBe('Network error occurred')
  expect(messageOf('oops', 'An error occurred')).toBe('An error occurred')
  expect(messageOf(new Error(''), 'An error occurred')).toBe('An error occurred')
  const gone = new TypeError('Failed to fetch dynamically imported module: /assets/palette-abc.js')
  expect(messageOf(gone, 'An error occurred')).toBe('An error occurred')
})

test('when fields are at fault, then each has its words, and what is no field error is left out', async () => {
  const errors = [{ field: 'email', message: 'Email is too long' }, { field: 1 }, null, 'x']
  fakeApi({ config: () => failure(400, 'Validation failed', { errors }) })
  await expect(call('config')).rejects.toMatchObject({ errors: [errors[0]] })
})

describe('when the page is in German', () => {
  const TAKEN = 'An account with this email already exists'
  const german = {
    [TAKEN]: 'Mit dieser E-Mail gibt es schon ein Konto',
    'Email is too long': 'Die E-Mail ist zu lang',
    'Resource not found.': 'Nicht gefunden.',
    'This is not a possible WhatsApp number in this country': 'Diese Nummer gibt es in diesem Land nicht',
    'Network error. Please check your internet connection and try again.': 'Kein Netz.',
  }
  const field = (message: string, code?: string) =>
    failure(400, message, { code: 'invalid', errors: [{ field: 'it', message, code }] })
  beforeEach(() => speak('de', german))
  afterEach(() => speak('en'))

  test.each([
    ['a code that is known', failure(409, TAKEN, { code: 'email_taken' }), german[TAKEN]],
    ['a sentence of our schemas', field('Email is too long'), german['Email is too long']],
    ['a status only', failure(404), german['Resource not found.']],
    ['a new code', failure(409, 'Not on Sundays', { code: 'sunday' }), 'Not on Sundays'],
    [
      'a new sentence of a known code',
      failure(404, 'No such note', { code: 'not_found' }),
      'Nicht gefunden.',
    ],
    [
      'the code of a field',
      field('This is not a possible WhatsApp number in Peru', 'impossible_number'),
      'Diese Nummer gibt es in diesem Land nicht',
    ],
  ])('then %s reads so', async (_, answer, message) => {
    fakeApi({ config: () => answer })
    const error = await call('config').catch(cause => cause)
    expect(error).toMatchObject({ message, code: Object(answer.body).code ?? '' })
    expect(error.errors).toEqual(Object(answer.body).errors ? [{ field: 'it', message }] : [])
  })

  test('then so does a lost connection', async () => {
    fakeApi({ config: noNetwork })
    await expect(call('config')).rejects.toThrow('Kein Netz.')
  })

  test('then the services hear of it', async () => {
    let asked: unknown
    http.defaults.adapter = async ({ headers }) => {
      asked = headers.get('Accept-Language')
      throw new Error('Network Error')
    }
    await call('config').catch(() => {})
    expect(asked).toBe('de')
  })
})

describe('when a limit is used up', () => {
  const used = (code: string) => ({
    config: () => ({ ...failure(429, 'The server’s', { code }), headers: { 'retry-after': '7200' } }),
  })
  afterEach(() => speak('en'))

  test('then the page says for how long in its language', async () => {
    await speak('de', {
      'Too many requests for now. Please try again in {wait}.': 'Zu oft. In {wait} wieder.',
      '{hours, plural, one {about # hour} other {about # hours}}': '{hours, plural, other {etwa # Stunden}}',
    })
    fakeApi(used('rate_limited'))
    await expect(call('config')).rejects.toThrow('Zu oft. In etwa 2 Stunden wieder.')
  })

  test('for the files of a day, then the page says until when, in the reader’s time', async () => {
    const time = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeStyle: 'short' })
    const soonest = time.format(Date.now() + 7_200_000)
    fakeApi(used('day_is_full'))
    const { message } = await call('config').catch(cause => cause)
    const latest = time.format(Date.now() + 7_200_000)
    expect([soonest, latest].map(until => `after ${until}.`)).toContain(
      message.slice(message.indexOf('after')),
    )
  })
})
