import { readFileSync } from 'node:fs'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { User } from '@voxscribe/contracts/http'
import { queryClient } from '../session/query-client.ts'
import { endSession, loadSession } from '../session/session.ts'
import { ok } from '../testing/fake-api.ts'
import { processing } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'
import { freshBrowser, storeSession } from '../testing/storage.ts'
import { guardSharedFiles, sharedFiles } from './shared-files.ts'

const ben: User = { ...ada, id: 'user-2', email: 'ben@example.org' }
const ORIGIN = 'http://localhost'

let deleted: string[] = []
/** The browser's cache storage, as far as these files use it. */
function fakeCaches() {
  const stored = new Map<string, Map<string, Response>>()
  const addressOf = (key: string | { url: string }) =>
    new URL(typeof key === 'string' ? key : key.url, ORIGIN).href
  return {
    async open(name: string) {
      const entries = stored.get(name) ?? new Map<string, Response>()
      stored.set(name, entries)
      return {
        keys: async () => [...entries.keys()].map(url => ({ url })),
        match: async (key: string) => entries.get(addressOf(key))?.clone(),
        put: async (key: string, response: Response) => void entries.set(addressOf(key), response),
        delete: async (key: string | { url: string }) => {
          deleted.push(new URL(addressOf(key)).pathname)
          return entries.delete(addressOf(key))
        },
      }
    },
    delete: async (name: string) => stored.delete(name),
  }
}

/** A response with a file of the page: Node's own doesn't know jsdom's files. */
class ResponseOfFile {
  static redirect = () => null
  readonly blob
  readonly headers
  constructor(file: File, { headers }: { headers: Record<string, string> }) {
    this.blob = async () => file
    this.headers = { get: (name: string) => headers[name] }
  }
  clone = () => this
}

/** The real service worker. Returns functions that post a form to it, as any site can, and request an address. */
function startServiceWorker() {
  const listeners = new Map<string, (event: object) => void>()
  const self = { addEventListener: (type: string, listener: () => void) => listeners.set(type, listener) }
  const source = readFileSync('web/public/sw.js', 'utf8')
  new Function('self', 'Response', source)(self, ResponseOfFile)
  const request = async (asked: object) => {
    let answer: unknown
    const respondWith = (given: unknown) => {
      answer = given
    }
    listeners.get('fetch')?.({ request: asked, respondWith })
    return (await answer) as Response | undefined
  }
  const post = (files: File[]) => {
    const formData = async () => ({ getAll: () => ['a text', ...files] })
    return request({ method: 'POST', url: `${ORIGIN}/share`, formData })
  }
  return {
    share: (...names: string[]) => post(names.map(name => new File(['sound'], name, { type: 'audio/ogg' }))),
    shareText: (name: string, text: string) => post([new File([text], name, { type: 'text/plain' })]),
    get: (path: string, mode = 'cors') => request({ method: 'GET', url: ORIGIN + path, mode }),
  }
}

let share: ReturnType<typeof startServiceWorker>['share']
let shareText: ReturnType<typeof startServiceWorker>['shareText']
let get: ReturnType<typeof startServiceWorker>['get']
beforeAll(() => {
  Object.assign(globalThis, { caches: fakeCaches() })
  guardSharedFiles()
})
beforeEach(() => {
  Object.assign(globalThis, { caches: fakeCaches() })
  ;({ share, shareText, get } = startServiceWorker())
})

const namesOf = async (user: User) => (await sharedFiles(user.id)).map(({ file }) => file.name)
/** Resolves once the service worker knows the user. */
async function signIn(user: User) {
  storeSession(user)
  loadSession()
  await namesOf(user)
}

test('when a file is shared, then it waits for the person who was signed in, and for no other', async () => {
  await signIn(ada)
  await share('mine ünï 🎉.ogg')
  expect(await namesOf(ada)).toEqual(['mine ünï 🎉.ogg'])
  endSession('expired')
  await signIn(ada)
  expect(await namesOf(ada)).toEqual(['mine ünï 🎉.ogg'])
  endSession('expired')
  await signIn(ben)
  expect(await namesOf(ben)).toEqual([])
  expect(await namesOf(ada)).toEqual([])
})

test('when the person signs out, then shared files are gone', async () => {
  await signIn(ada)
  await share('private.ogg')
  endSession('signed-out')
  await signIn(ada)
  expect(await namesOf(ada)).toEqual([])
})

test('when a page starts for the same user, then the worker knows the user at every moment', async () => {
  await signIn(ada)
  deleted = []
  guardSharedFiles()
  await namesOf(ada)
  expect(deleted).toEqual([])
})

test('when nobody is signed in, then a shared file is the next person’s', async () => {
  await share('early.ogg')
  await signIn(ben)
  expect(await namesOf(ben)).toEqual(['early.ogg'])
})

test('when a file is shared after the session, then the sign-in page says it is waiting', async () => {
  await signIn(ada)
  await share('late.ogg')
  freshBrowser()
  openApp('/signin')
  expect(await screen.findByText(/^Your file is waiting\./)).toBeTruthy()
})

test('when a site posts very many files, then the last of them wait', async () => {
  await signIn(ada)
  await share(...Array.from({ length: 502 }, (_, index) => `${index}.ogg`))
  const names = await namesOf(ada)
  expect([names.length, names[0], names.at(-1)]).toEqual([500, '2.ogg', '501.ogg'])
})

test('when the loose files of a chat were shared, then its button opens it with all of them', async () => {
  await signIn(ada)
  const voices = Array.from({ length: 12 }, (_, index) => `PTT-20250314-WA${index + 10}.opus`)
  await share(...voices, 'another.ogg')
  await shareText('WhatsApp Chat with Bo.txt', voices.map(name => `Bo: ${name} (file attached)`).join('\n'))
  const { place, user, api } = openApp('/transcription-history', {}, ada)
  const list = within(await screen.findByRole('list', { name: 'Shared files' }))
  await user.click(list.getByRole('button', { name: 'Open' }))
  await waitFor(() => expect(place()).toBe('/conversations'))
  const { files } = queryClient.getQueryData<{ files: { path: string }[] }>(['chat-export'])!
  expect(files.map(({ path }) => path)).toEqual(['WhatsApp Chat with Bo.txt', ...voices])
  expect(await namesOf(ada)).toEqual(['another.ogg'])
  expect(api.of('upload')).toEqual([])
})

test('when a file was shared, then it is sent only once its button is pressed', async () => {
  await signIn(ada)
  await share('wanted.ogg', 'planted.ogg')
  const upload = () => ok<'upload'>({ transcription: processing })
  const { api, user } = openApp('/transcription-history', { upload }, ada)
  const list = within(await screen.findByRole('list', { name: 'Shared files' }))
  const row = (name: string) => within(list.getByText(name).closest('li') as HTMLElement)
  await act(() => new Promise(resolve => setTimeout(resolve, 50)))
  expect(api.of('upload')).toHaveLength(0)
  // The second half of a double click on the previous line.
  fireEvent.click(row('planted.ogg').getByRole('button', { name: 'Transcribe' }), { detail: 2 })
  await user.click(row('planted.ogg').getByRole('button', { name: 'Discard' }))
  await waitFor(() => expect(list.queryByText('planted.ogg')).toBeNull())
  await user.click(row('wanted.ogg').getByRole('button', { name: 'Transcribe' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Shared files' })).toBeNull())
  const sent = api.of('upload') as unknown as { body: FormData }[]
  expect(sent.map(({ body }) => (body.get('file') as File).name)).toEqual(['wanted.ogg'])
  expect(await namesOf(ada)).toEqual([])
})

test('when many files were shared, then one press discards them all', async () => {
  await signIn(ada)
  await share('first.ogg', 'second.ogg')
  const { user } = openApp('/transcription-history', {}, ada)
  await user.click(await screen.findByRole('button', { name: 'Discard all' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Shared files' })).toBeNull())
  expect(await namesOf(ada)).toEqual([])
})

describe('when the network is gone', () => {
  const list = '/api/transcriptions?limit=10'
  const online = globalThis.fetch
  const answering = (words: string) => {
    globalThis.fetch = async () => new Response(words)
  }
  const offline = () => {
    globalThis.fetch = async () => {
      throw new TypeError('Failed to fetch')
    }
  }
  const kept = () => new Promise(resolve => setTimeout(resolve, 20))
  const read = async (path: string) => (await get(path))?.text()
  afterEach(() => {
    globalThis.fetch = online
  })

  test('then a person gets what they read last, and no one else does, or after signing out', async () => {
    await signIn(ada)
    answering('first')
    await read(list)
    answering('second')
    expect(await read(list)).toBe('second')
    await kept()
    offline()
    expect(await read(list)).toBe('second')
    await expect(read('/api/transcriptions?limit=10&page=2')).rejects.toThrow('Failed to fetch')
    await signIn(ben)
    await expect(read(list)).rejects.toThrow('Failed to fetch')
    await signIn(ada)
    await expect(read(list)).rejects.toThrow('Failed to fetch')
    answering('third')
    await read(list)
    await kept()
    endSession('signed-out')
    await signIn(ada)
    offline()
    await expect(read(list)).rejects.toThrow('Failed to fetch')
  })

  test('then texts are gone that were read in a session that has ended elsewhere, but no waiting file', async () => {
    await signIn(ada)
    await share('mine.ogg')
    answering('text')
    await read(list)
    await kept()
    endSession('expired')
    await kept()
    const left = await (await caches.open('of-user')).keys()
    expect(left.map(({ url }) => new URL(url).pathname.split('/')[1])).toEqual(['shared'])
    await signIn(ada)
    expect(await namesOf(ada)).toEqual(['mine.ogg'])
  })

  test('then an answer that comes after signing out is not kept', async () => {
    await signIn(ada)
    const late = Promise.withResolvers<Response>()
    globalThis.fetch = () => late.promise
    const asked = read(list)
    await kept()
    endSession('signed-out')
    await kept()
    late.resolve(new Response('private'))
    await asked
    await kept()
    await signIn(ada)
    offline()
    await expect(read(list)).rejects.toThrow('Failed to fetch')
  })

  test('behind a proxy, then a page that was loaded before opens in place of the proxy’s', async () => {
    const status = (code: number, words: string) => {
      globalThis.fetch = async () => new Response(words, { status: code })
    }
    const open = async () => (await get('/dashboard', 'navigate'))?.text()
    status(502, 'Bad Gateway')
    expect(await open()).toBe('Bad Gateway')
    status(200, 'the app')
    await open()
    await kept()
    status(502, 'Bad Gateway')
    expect(await open()).toBe('the app')
    status(404, 'Not found')
    expect(await open()).toBe('Not found')
  })

  test.each(['/api/transcriptions/events', '/api/auth/refresh', '/api/transcriptions/export'])(
    'then %s is not its business',
    async path => expect(await get(path)).toBeUndefined(),
  )
})

test('when a phone shares the text of a chat, then the app is among those offered', () => {
  const { share_target } = JSON.parse(readFileSync('web/public/manifest.webmanifest', 'utf8'))
  for (const type of ['application/zip', 'text/plain', 'application/json'])
    expect(share_target.params.files[0].accept).toContain(type)
})

test('when an exported chat was shared, then its button opens the page of chats with it', async () => {
  await signIn(ada)
  await share('WhatsApp Chat - Bo.zip')
  const { place, user } = openApp('/transcription-history', {}, ada)
  const list = within(await screen.findByRole('list', { name: 'Shared files' }))
  await user.click(list.getByRole('button', { name: 'Open' }))
  await waitFor(() => expect(place()).toBe('/conversations'))
  expect(await namesOf(ada)).toEqual([])
})
