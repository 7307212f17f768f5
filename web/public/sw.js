// Receives files that the phone shares with the installed app, and shows what was read last when there is no network.
//
// Files: any web site can post here, so they only wait in a cache, under the id of the user who is signed in, until that
// user sends or discards them on the page (src/upload/shared-files.ts). Answers of the API are kept under that id, too:
// what belongs to a user is in one cache, which the page deletes at sign-out.
const OF_USER = 'of-user'
const APP = 'app'
// Android shares a chat as its text and one file for each voice note.
const MOST_WAITING = 500
const MOST_READ = 300
const MOST_FILES = 200
const READ =
  /^\/api\/(config|users\/(profile|countries|languages)|stripe\/[\w-]+|transcriptions(\/stats|\/[\w-]{36})?|conversations(\/[\w-]{36}(\/messages)?)?)$/

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', event => {
  const { request } = event
  const { pathname } = new URL(request.url)
  if (request.method === 'POST' && pathname === '/share') event.respondWith(receive(request))
  if (request.method !== 'GET') return
  if (READ.test(pathname)) event.respondWith(read(request))
  else if (/^\/(assets|flags)\//.test(pathname)) event.respondWith(file(request))
  else if (request.mode === 'navigate' && !/^\/(api|webhooks)\//.test(pathname))
    event.respondWith(page(request))
})

const ownerIn = async cache => (await (await cache.match('/shared-owner'))?.text()) ?? 'nobody'

async function trim(cache, most, prefix = '/') {
  const entries = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith(prefix))
  for (const oldest of entries.slice(0, -most)) await cache.delete(oldest)
}

async function receive(request) {
  const form = await request.formData()
  const cache = await caches.open(OF_USER)
  const owner = await ownerIn(cache)
  for (const file of form.getAll('files').filter(entry => entry instanceof File)) {
    const headers = { 'content-type': file.type, 'x-file-name': encodeURIComponent(file.name) }
    await cache.put(`/shared/${owner}/${crypto.randomUUID()}`, new Response(file, { headers }))
  }
  await trim(cache, MOST_WAITING, '/shared/')
  return Response.redirect('/transcription-history', 303)
}

/** Answers from the network, and keeps that; without a network, as it was answered last. */
async function newest(request, name, address, keepIt) {
  try {
    const answer = await fetch(request)
    if (answer.ok) void keepIt(answer.clone()).catch(() => {})
    return answer
  } catch (error) {
    const last = await (await caches.open(name)).match(address)
    if (last) return last
    throw error
  }
}

async function read(request) {
  const owner = await ownerIn(await caches.open(OF_USER))
  const { pathname, search } = new URL(request.url)
  const address = `/read/${owner}${pathname}${search}`
  return newest(request, OF_USER, address, answer => keep(address, owner, answer))
}

async function keep(address, owner, answer) {
  if (owner === 'nobody') return
  const cache = await caches.open(OF_USER)
  await cache.put(address, answer)
  await trim(cache, MOST_READ, '/read/')
  // Somebody signed out meanwhile.
  if ((await ownerIn(cache)) !== owner) await cache.delete(address)
}

/** The app's own files have the hash of their content in their names. */
async function file(request) {
  const cache = await caches.open(APP)
  const known = await cache.match(request)
  if (known) return known
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  await trim(cache, MOST_FILES)
  return answer
}

/** Every address has the same page. While a proxy says that the server is away, it is the last one, not the proxy's. */
async function page(request) {
  const answer = await newest(request, APP, '/', async answer => (await caches.open(APP)).put('/', answer))
  return answer.status < 502 ? answer : ((await (await caches.open(APP)).match('/')) ?? answer)
}
