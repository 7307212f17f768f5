// Receives files that the phone shares with the installed app (the share target of manifest.webmanifest): they wait in a
// cache until the history page takes them. Nothing else goes through here.
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
  for (const file of form.getAll('files')) {
    const headers = { 'content-type': file.type, 'x-file-name': encodeURIComponent(file.name) }
    await cache.put(`/shared/${crypto.randomUUID()}`, new Response(file, { headers }))
  }
  return Response.redirect('/transcription-history', 303)
}
