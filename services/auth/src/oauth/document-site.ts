import type { RequestListener } from 'node:http'
import { createServer, globalAgent } from 'node:https'
import type { AddressInfo } from 'node:net'

/** For tests only; valid for `localhost` and 127.0.0.1. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgbv6FrDZE1rzqtFdj
48+TPkzKjcwhWNvT2WSdTlr3l/OhRANCAASpOef0I4mj5+PqF85hPxFKUu6fAgqL
Fua3uuQwdTDykHoVSf8hNZVzX5rrQJaNTwm9I0vxhAN2WY2q0jBl5iSn
-----END PRIVATE KEY-----`
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUYiYnl5fWFkC1zbexpXbN1fl9Y2wwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyOTA4MjQwMVoYDzIxMjYxMTA1
MDgyNDAxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASpOef0I4mj5+PqF85hPxFKUu6fAgqLFua3uuQwdTDykHoVSf8hNZVz
X5rrQJaNTwm9I0vxhAN2WY2q0jBl5iSno28wbTAdBgNVHQ4EFgQU9H5oT1ZMCf9M
F9KL/E/s2DLa8ZkwHwYDVR0jBBgwFoAU9H5oT1ZMCf9MF9KL/E/s2DLa8ZkwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIgTS58Bpfr2jwfYX/O8O2CZ4+ufxHCywpJHyKOz6AB5y0CIQDS
RfjUd0Jorw2tGnZa5BVnu5ofM7dN3zc/IUG+EDJeTg==
-----END CERTIFICATE-----`

/** Starts a site that serves programs' metadata documents and that this process trusts. */
export async function startSite() {
  globalAgent.options.ca = CERTIFICATE
  let answer: RequestListener = (_request, response) => response.writeHead(404).end()
  const requests: string[] = []
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    requests.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}`,
    /** Paths requested so far. */
    requests,
    answers(listener: RequestListener) {
      answer = listener
    },
    says(body: unknown) {
      answer = (_request, response) => response.end(typeof body === 'string' ? body : JSON.stringify(body))
    },
    async stop() {
      delete globalAgent.options.ca
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
