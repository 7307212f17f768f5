import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { eventually } from './testing/eventually.ts'
import { createBrowser } from './testing/oauth-browser.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { ROOT, type System } from './testing/system.ts'

// Assistants that people connect: the unchanged clients of the MCP SDKs discover, register, authorize and connect.

const run = promisify(execFile)
const REDIRECT = 'http://localhost:43117/callback'
let system: System
let person: Person

beforeAll(async () => {
  system = await startOneProcess()
  person = await signUp(system)
})
afterAll(async () => {
  await system?.stop()
  await system?.remove()
})

interface Kept {
  client?: unknown
  tokens: { access_token: string; refresh_token: string }
  verifier: string
  discovery?: unknown
  /** Address that the browser opens. */
  sent: URL
}

/** Creates the storage of an assistant's program for the SDK. */
function createKeeper() {
  const kept = {} as Kept
  const keep =
    <Name extends keyof Kept>(name: Name) =>
    (value: Kept[Name]): void => {
      kept[name] = value
    }
  const provider = {
    redirectUrl: REDIRECT,
    clientMetadata: { client_name: 'A stock client', redirect_uris: [REDIRECT] },
    clientInformation: () => kept.client,
    saveClientInformation: keep('client'),
    tokens: () => kept.tokens,
    saveTokens: keep('tokens'),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: keep('verifier'),
    discoveryState: () => kept.discovery,
    saveDiscoveryState: keep('discovery'),
    invalidateCredentials: () => {},
    redirectToAuthorization: keep('sent'),
  } as unknown as OAuthClientProvider
  return { kept, provider }
}

/** Clients of both versions of the SDK. */
const clients = {
  'TypeScript SDK 1'(authProvider: OAuthClientProvider) {
    const transport = new StreamableHTTPClientTransport(new URL(`${system.appUrl}/mcp`), { authProvider })
    const finish = (back: URLSearchParams) => transport.finishAuth(back.get('code')!)
    return { client: new Client({ name: 'stock', version: '1' }), transport, finish }
  },
  'TypeScript SDK 2'(authProvider: OAuthClientProvider) {
    const options = { authProvider: authProvider as never }
    const transport = new ModernTransport(new URL(`${system.appUrl}/mcp`), options)
    const client = new ModernClient({ name: 'stock', version: '2' }) as unknown as Client
    const finish = (back: URLSearchParams) => transport.finishAuth(back)
    return { client, transport: transport as unknown as StreamableHTTPClientTransport, finish }
  },
}

test.each(Object.entries(clients))(
  'when the client of the %s gets only the address, then it reads notes once a person allows it',
  async (_, open) => {
    const { kept, provider } = createKeeper()
    const first = open(provider)
    await expect(first.client.connect(first.transport)).rejects.toThrow(/unauthorized/i)
    const browser = createBrowser(person)
    const { connect, back } = await browser.allow(kept.sent)
    expect(connect).toMatchObject({
      client: { name: 'A stock client', host: 'localhost:43117', verified: false },
      scopes: ['read', 'write'],
    })
    expect(back.searchParams.get('iss')).toBe(system.appUrl)
    await first.finish(back.searchParams)
    const second = open(provider)
    await second.client.connect(second.transport)
    const { tools } = await second.client.listTools()
    expect(tools.map(({ name }) => name)).toContain('transcribe')
    const read = await second.client.callTool({ name: 'list_transcripts', arguments: {} })
    expect(read.structuredContent).toMatchObject({ untrusted: true, transcriptions: [] })
    // The client itself renews a token that no longer works.
    kept.tokens = { ...kept.tokens, access_token: 'gone' }
    expect((await second.client.listTools()).tools).toHaveLength(tools.length)
    const { grants } = (await person.http.get('/oauth/grants')).data.data
    await person.http.delete(`/oauth/grants/${grants[0].id}`)
    await expect(second.client.listTools()).rejects.toBeInstanceOf(Error)
    await second.client.close()
  },
)

test('when a program that may read calls a tool that writes, then its unchanged client asks the person for that as well', async () => {
  const { kept, provider } = createKeeper()
  const open = () => clients['TypeScript SDK 2'](provider)
  const first = open()
  await expect(first.client.connect(first.transport)).rejects.toThrow(/unauthorized/i)
  kept.sent.searchParams.set('scope', 'read')
  await first.finish((await createBrowser(person).allow(kept.sent)).back.searchParams)
  const second = open()
  await second.client.connect(second.transport)
  expect((await second.client.listTools()).tools.map(({ name }) => name)).not.toContain('transcribe')
  const file = { name: 'transcribe', arguments: { file_name: 'note.ogg', base64: 'AAAA' } }
  await expect(second.client.callTool(file)).rejects.toThrow(/unauthorized/i)
  expect(kept.sent.searchParams.get('scope')).toBe('read write')
  await second.finish((await createBrowser(person).allow(kept.sent)).back.searchParams)
  expect(await second.client.callTool(file)).toMatchObject({ isError: true })
  await second.client.close()
})

test('when the client of the Python SDK gets only the address, then it reads notes as well', async () => {
  const packages = join(system.dataDir, 'mcp')
  await run('pip3', ['install', '--quiet', '--no-compile', '--target', packages, 'mcp==2.3.0'])
  const script = join(ROOT, 'e2e/testing/oauth-client.py')
  const client = spawn('python3', [script, `${system.appUrl}/mcp`, REDIRECT], {
    env: { ...process.env, PYTHONPATH: packages },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(client.stdout)[Symbol.asyncIterator]()
  const { back } = await createBrowser(person).allow(new URL(String((await lines.next()).value)))
  client.stdin.end(`${back}\n`)
  expect(JSON.parse(String((await lines.next()).value))).toMatchObject({
    untrusted: true,
    transcriptions: [],
  })
})

/** Programs in their own processes: each writes the address that it opens to stderr, and receives its code itself. */
const programs = {
  'mcp-remote': { bin: 'mcp-remote', args: (mcp: string) => [mcp] },
  'mcp-remote, in the new era': { bin: 'mcp-remote', args: (mcp: string) => [mcp, '--protocol', 'auto'] },
  'the inspector': {
    bin: 'mcp-inspector',
    args: (mcp: string) => ['--cli', mcp, '--method', 'tools/call', '--tool-name', 'list_transcripts'],
  },
}
const CALLS = [
  {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 1, method: 'tools/call', params: { name: 'list_transcripts', arguments: {} } },
]

describe('when a program that people start gets only the address, then it reads notes:', () => {
  let packages: string
  beforeAll(async () => {
    packages = join(system.dataDir, 'programs')
    const quiet = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', packages]
    await run('npm', ['install', ...quiet, 'mcp-remote@0.15.1', '@modelcontextprotocol/inspector@2.12.0'])
  })
  test.each(Object.entries(programs))('%s', async (_, { bin, args }) => {
    const home = await mkdtemp(join(packages, 'home-'))
    const script = join(packages, 'node_modules/.bin', bin)
    const program = spawn(process.execPath, [script, ...args(`${system.appUrl}/mcp`)], {
      // Prevents it from opening a browser on this machine.
      env: { ...process.env, HOME: home, BROWSER: 'true', MCP_AUTO_OPEN_ENABLED: 'true' },
    })
    const ended = once(program, 'exit')
    for (const call of CALLS) program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...call })}\n`)
    const asked = /http:\S+\/oauth\/authorize\?\S+/
    const address = await firstOf(program.stderr, text => asked.exec(text)?.[0])
    const { back } = await createBrowser(person).allow(new URL(address))
    // It may print the address before it listens for its code.
    const code = await eventually('the program takes its code', () => fetch(back))
    expect(code.status).toBe(200)
    await firstOf(program.stdout, text => /"untrusted":\s*true/.exec(text)?.[0])
    program.kill()
    await ended
    const { grants } = (await person.http.get('/oauth/grants')).data.data
    expect(grants[0]).toMatchObject({ host: back.host, scopes: ['read', 'write'] })
    expect(grants[0].lastUsedAt).not.toBeNull()
  })
})

/** Reads until something is found; otherwise throws with the whole output. */
async function firstOf(stream: Readable, find: (said: string) => string | undefined): Promise<string> {
  let said = ''
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    said += chunk
    const found = find(said)
    if (found) return found
  }
  throw new Error(said)
}

test('when a token is for /mcp, then /v1 and our API refuse it, and both refuse a session’s token', async () => {
  const { kept, provider } = createKeeper()
  const { client, transport, finish } = clients['TypeScript SDK 1'](provider)
  await expect(client.connect(transport)).rejects.toBeInstanceOf(UnauthorizedError)
  const { back } = await createBrowser(person).allow(kept.sent)
  await finish(back.searchParams)
  const statusOf = async (path: string, token: string, method = 'GET') => {
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    return (await fetch(`${system.appUrl}${path}`, { method, headers })).status
  }
  const token = kept.tokens.access_token
  expect(await statusOf('/v1/models', token)).toBe(401)
  expect(await statusOf('/api/transcriptions', token)).toBe(401)
  expect(await statusOf('/mcp', person.accessToken, 'POST')).toBe(401)
  expect(await statusOf('/v1/models', person.accessToken)).toBe(401)
})
