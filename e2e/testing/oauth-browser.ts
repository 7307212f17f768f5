import type { api, DataOf } from '@voxscribe/contracts/http'
import type { Person } from './person.ts'

/** Creates a person's browser between a program and our page, without the page: keeps cookies and follows redirects. */
export function createBrowser({ http }: Pick<Person, 'http'>) {
  const jar = new Map<string, string>()
  async function open(url: URL): Promise<URL> {
    const cookie = [...jar].map(pair => pair.join('=')).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? []
      jar.set(name, value)
    }
    const location = response.headers.get('location')
    if (!location) throw new Error(`${response.status} without a way on: ${await response.text()}`)
    return new URL(location, url)
  }
  return {
    /** Opens the authorization address, allows the request, and returns the address that gets the program's code. */
    async allow(sent: URL): Promise<{ connect: DataOf<typeof api.connectRequest>; back: URL }> {
      const uid = (await open(sent)).pathname.split('/').at(-1)
      const headers = { cookie: [...jar].map(pair => pair.join('=')).join('; ') }
      const path = `/oauth/interactions/${uid}`
      const connect = (await http.get(path, { headers })).data.data
      const answer = await http.post(path, { allow: true }, { headers })
      return { connect, back: await open(new URL(answer.data.data.redirectTo)) }
    },
  }
}
