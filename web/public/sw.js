// Receives files that the phone shares with the installed app (the share target of manifest.webmanifest). Any web site
// can post here, so the files only wait in a cache, under the id of the user who is signed in, until that user sends or
// discards them on the page (src/upload/shared-files.ts). Nothing else goes through here.
const MOST_WAITING = 10

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', event => {
  const { request } = event
  if (request.method === 'POST' && new URL(request.url).pathname === '/share')
    event.respondWith(receive(request))
})

async function receive(request) {
  const form = await request.formData()
  const cache = await caches.open('shared-files')
  const owner = (await (await cache.match('/shared-owner'))?.text()) ?? 'nobody'
  for (const file of form.getAll('files').filter(entry => entry instanceof File)) {
    const headers = { 'content-type': file.type, 'x-file-name': encodeURIComponent(file.name) }
    await cache.put(`/shared/${owner}/${crypto.randomUUID()}`, new Response(file, { headers }))
  }
  const waiting = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith('/shared/'))
  for (const oldest of waiting.slice(0, -MOST_WAITING)) await cache.delete(oldest)
  return Response.redirect('/transcription-history', 303)
}
