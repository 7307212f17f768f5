import { openApiDocument } from './openapi.ts'

const { paths } = openApiDocument()
const operation = (path: string, method: 'get' | 'post' | 'patch') => paths?.[path]?.[method]
const statuses = (path: string, method: 'get' | 'post') =>
  Object.keys(operation(path, method)?.responses ?? {})

test('when a file is sent again, then the answer is in the document, too', () => {
  expect(statuses('/transcriptions', 'post')).toEqual(expect.arrayContaining(['200', '201']))
})

test.each(['/transcriptions/{id}/audio', '/shared/{token}/audio'])(
  'when %s is asked for a range, then the answer is in the document',
  path => {
    expect(statuses(path, 'get')).toEqual(expect.arrayContaining(['200', '206', '416']))
  },
)

test.each([
  ['/transcriptions', 'post', 'Idempotency-Key'],
  ['/transcriptions/{id}', 'patch', 'If-Match'],
  ['/transcriptions/{id}/gist', 'post', 'Accept-Language'],
  ['/transcriptions/{id}/audio', 'get', 'Range'],
] as const)('when %s (%s) depends on a header, then the document has it', (path, method, name) => {
  expect(operation(path, method)?.parameters).toContainEqual(expect.objectContaining({ in: 'header', name }))
})

test('when a body may be left out, then the document says so', () => {
  const required = (path: string) =>
    Object(operation(`/transcriptions/{id}/${path}`, 'post')?.requestBody).required
  expect([required('refresh'), required('speakers'), required('share')]).toEqual([false, false, true])
})

test('when audio is fetched, then it may be with a token, a key, or by its address alone', () => {
  expect(operation('/transcriptions/{id}/audio', 'get')?.security).toEqual([
    {},
    { accessToken: [] },
    { apiKey: ['read'] },
  ])
})

test('when a call is open, then the document says that it needs no token', () => {
  expect(operation('/config', 'get')?.security).toEqual([])
})

test('when a list is turned over, then its page and limit are whole numbers within their bounds', () => {
  expect(operation('/transcriptions', 'get')?.parameters).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'page',
        schema: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 1 },
      }),
      expect.objectContaining({
        name: 'limit',
        schema: expect.objectContaining({ type: 'integer', default: 10 }),
      }),
    ]),
  )
})

test('when an answer gets another field one day, then clients made from the document still read it', () => {
  expect(JSON.stringify(paths)).not.toContain('"additionalProperties":false')
})

test.each(['/audio/transcriptions', '/audio/translations', '/models', '/models/{id}'])(
  'when a program speaks OpenAI’s API, then %s is in the document, below /v1, for a key',
  path => {
    const item = paths?.[path]
    const call = item?.post ?? item?.get
    expect([item?.servers, call?.security]).toEqual([
      [{ url: '/v1' }],
      [{ apiKey: [item?.post ? 'write' : 'read'] }],
    ])
  },
)
