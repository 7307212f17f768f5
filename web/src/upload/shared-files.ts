/** Cache in which the service worker (`public/sw.js`) puts files that the phone shares with the installed app. */
const CACHE = 'shared-files'

/** Takes the shared files out of the cache: each file is taken once. */
export async function takeSharedFiles(): Promise<File[]> {
  if (!('caches' in globalThis) || !(await caches.has(CACHE))) return []
  const cache = await caches.open(CACHE)
  const entries = await cache.keys()
  const files: File[] = []
  for (const entry of entries) {
    const response = await cache.match(entry)
    if (!response || !(await cache.delete(entry))) continue
    const name = decodeURIComponent(response.headers.get('x-file-name') ?? 'Shared file')
    const content = await response.blob()
    files.push(new File([content], name, { type: content.type }))
  }
  return files
}
