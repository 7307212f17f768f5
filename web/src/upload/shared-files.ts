import { i18n } from '../language/i18n.ts'
import { getSession, subscribeToSession } from '../session/session.ts'

/** Cache of `public/sw.js`: shared files at `/shared/{owner}/{uuid}`, API responses at `/read/{owner}/{address}`. */
const CACHE = 'of-user'
/** The entry that tells the service worker the signed-in user's id. */
const OWNER = '/shared-owner'
/** Owner of files that are shared while nobody is signed in. */
const NOBODY = 'nobody'

export interface SharedFile {
  address: string
  file: File
}

/** Steps run one after another, so a sign-out is complete before the next sign-in takes effect. */
let steps: Promise<unknown> = Promise.resolve()
function enqueue<T>(step: (cache: Cache) => Promise<T>): Promise<T> {
  const result = steps.then(async () => step(await caches.open(CACHE)))
  steps = result.catch(() => {})
  return result
}

/**
 * Keeps shared files for the signed-in user, or the next one to sign in. Signing out, or another user's sign-in,
 * deletes them; API responses are deleted at the end of any session.
 */
export function guardSharedFiles() {
  if (!('caches' in globalThis)) return
  let owner: string | undefined | null = null
  const follow = () => {
    const next = getSession().user?.id
    if (next === owner) return
    owner = next
    void enqueue(cache => changeOwner(cache, next)).catch(() => {})
  }
  follow()
  subscribeToSession(follow)
  subscribeToSession(() => {
    if (getSession().end === 'signed-out') void enqueue(() => caches.delete(CACHE)).catch(() => {})
  })
}

async function changeOwner(cache: Cache, owner: string | undefined) {
  // While the owner stays the same, the service worker must be able to read it at any moment.
  if ((await (await cache.match(OWNER))?.text()) !== owner) await cache.delete(OWNER)
  for (const request of await cache.keys()) {
    const [, kind, whose] = new URL(request.url).pathname.split('/')
    // Files wait for the person whose session has expired; texts don't.
    if (kind === 'shared' && !owner) continue
    const unclaimed = whose === NOBODY && (await cache.match(request))
    if (unclaimed) await cache.put(request.url.replace(`/${NOBODY}/`, `/${owner}/`), unclaimed)
    if (whose && whose !== owner) await cache.delete(request)
  }
  if (owner) await cache.put(OWNER, new Response(owner))
}

/** Returns the files that wait for this user's decision or, without a user, for anyone's, oldest first. */
export async function sharedFiles(userId?: string): Promise<SharedFile[]> {
  if (!('caches' in globalThis)) return []
  return enqueue(async cache => {
    const files: SharedFile[] = []
    for (const request of await cache.keys()) {
      const isTheirs = new URL(request.url).pathname.startsWith(userId ? `/shared/${userId}/` : '/shared/')
      const response = isTheirs && (await cache.match(request))
      if (!response) continue
      const name = decodeURIComponent(response.headers.get('x-file-name') ?? i18n.t('Shared file'))
      const content = await response.blob()
      files.push({ address: request.url, file: new File([content], name, { type: content.type }) })
    }
    return files
  })
}

export const forgetSharedFile = ({ address }: SharedFile) => enqueue(cache => cache.delete(address))
