import { call } from '../session/client.ts'
import { failure, fakeApi, noNetwork } from '../testing/fake-api.ts'
import { messageOf } from '../ui/error-message.ts'
import { networkErrorFrom } from './errors.ts'

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
})

test('when fields are at fault, then each has its words, and what is no field error is left out', async () => {
  const errors = [{ field: 'email', message: 'Email is too long' }, { field: 1 }, null, 'x']
  fakeApi({ config: () => failure(400, 'Validation failed', { errors }) })
  await expect(call('config')).rejects.toMatchObject({ errors: [errors[0]] })
})
