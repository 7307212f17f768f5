import { once } from 'node:events'
import { networkInterfaces, userInfo } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

// `npm run admin`: the address of the page about the installation. `npm run admin --
// find|usage|block|unblock|disconnect|erase <account>` and `invite <address>`: support cases. Part of every image, and
// so imports none of our code.

const { MANAGEMENT_PORT, MANAGEMENT_URL: givenUrl } = process.env
const MANAGEMENT_URL = givenUrl || `http://127.0.0.1:${MANAGEMENT_PORT || 9090}`

const USAGE = `The page about the installation, and support cases, on its machine:

  npm run admin                                       the page's address, read-only, good until it is asked for again
  npm run admin -- find <account>                     who that is, and whether linked, blocked, paying
  npm run admin -- usage <account>                    minutes, notes a day, the last notes without their text
  npm run admin -- block <account> --reason "…"       ends its sessions, refuses its keys and notes; the data stay
  npm run admin -- unblock <account> [--reason "…"]   lifts that
  npm run admin -- disconnect <account>, or all       ends the assistants that were connected by OAuth
  npm run admin -- invite <address>                   a link that opens an account, where SIGN_UP=invited
  npm run admin -- erase <account> --reason "…"       deletes the account and all that is kept of it, for good

<account> is an id, an e-mail address, a WhatsApp number with its country code, or a link code.
--yes           erases without asking back
--json          for programs
--by <name>     who asks, for the log (else the user of this machine)
MANAGEMENT_URL  the management port of the one process, or of auth (now ${MANAGEMENT_URL})

Ends with 0, 1 when it did not work, 2 for a wrong command, 3 when there is no such account.`

class Failure extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

type Service = 'auth' | 'billing' | 'transcription'
interface Answer<Data> {
  success: boolean
  message: string
  code?: string
  data: Data
}

async function post<Data>(url: URL, body: object): Promise<Answer<Data> | undefined> {
  const headers = { 'content-type': 'application/json' }
  const options = { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) }
  const response = await fetch(url, options).catch(error => {
    const why = error.cause?.code ?? error.message
    throw new Failure(
      `Nothing answers at ${url.origin} (${why}). Is Voxscribe running? Set MANAGEMENT_URL to its management port.`,
    )
  })
  const isOurs = response.headers.get('content-type')?.includes('json')
  return isOurs ? ((await response.json()) as Answer<Data>) : undefined
}

/** Calls a service: at MANAGEMENT_URL or, if another service has that port, at its name in Compose and Kubernetes. */
async function call<Data>(service: Service, name: string, body: object): Promise<Data> {
  const path = `/admin/${service}/${name}`
  const asked = { by, reason, ...body }
  const answer =
    (await post<Data>(new URL(path, MANAGEMENT_URL), asked)) ??
    (await post<Data>(new URL(path, `http://${service}:9090`), asked))
  if (!answer) throw new Failure(`${MANAGEMENT_URL} is no management port of ${service}.`)
  if (!answer.success) throw new Failure(answer.message, answer.code === 'no_account' ? 3 : 1)
  return answer.data
}

interface Account {
  userId: string
  [name: string]: unknown
}

const minutesOf = ({ userId }: Account) =>
  call<{ plan: string; status: string }>('billing', 'usage', { userId })

async function find(who: string) {
  const account = await call<Account>('auth', 'find', { who })
  const plan = await minutesOf(account).then(
    minutes => `${minutes.plan}, ${minutes.status}`,
    error => `unknown (${error.message})`,
  )
  return { ...account, plan }
}

async function usage(who: string) {
  const account = await call<Account>('auth', 'find', { who })
  const [minutes, notes] = await Promise.all([
    minutesOf(account),
    call<object>('transcription', 'usage', { userId: account.userId }),
  ])
  return { ...minutes, ...notes, userId: account.userId }
}

/** Returns the page's address on this machine; in a container also the container's own, for the machine's browser. */
async function page() {
  const { path, host } = await call<{ path: string; host: string }>('auth', 'page', {})
  const isOpen = host === '0.0.0.0' || host === '::'
  const own = Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .filter(({ internal, family }) => isOpen && !internal && family === 'IPv4')
  const { origin, port } = new URL(MANAGEMENT_URL)
  return { page: [origin, ...own.map(({ address }) => `http://${address}:${port}`)].map(base => base + path) }
}

const COMMANDS: Record<string, (who: string) => Promise<object>> = {
  find,
  usage,
  block: async who => {
    needReason()
    return call('auth', 'block', { who })
  },
  erase: async who => {
    needReason()
    const { userId, email, name } = await call<Account>('auth', 'find', { who })
    if (!yes) await confirm(`${name}, ${email}, account ${userId}`, String(email))
    return call('auth', 'erase', { who: userId })
  },
  disconnect: who => call('auth', 'disconnect', { who }),
  invite: email => call('auth', 'invite', { email }),
  unblock: who => call('auth', 'unblock', { who }),
}

function needReason(): void {
  if (!reason) throw new Failure('Give a reason, which is logged: --reason "…"', 2)
}

async function confirm(account: string, word: string): Promise<void> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const question = `This erases ${account}, with all notes, for good.\nType ${word} to go on: `
  // The input may end without an answer.
  const ended = once(terminal, 'close').then(() => '')
  const answer = await Promise.race([terminal.question(question), ended])
  terminal.close()
  if (answer.trim() !== word) throw new Failure('Nothing was erased.')
}

/** Formats data with one line per field; a list has a line per entry. */
function formatted(data: object): string {
  const width = Math.max(...Object.keys(data).map(name => name.length))
  return Object.entries(data)
    .map(([name, value]) => `${name.padEnd(width)}  ${inWords(value, width + 2)}`)
    .join('\n')
}

function inWords(value: unknown, indent: number): string {
  if (Array.isArray(value)) return value.map(each => inWords(each, indent)).join(`\n${' '.repeat(indent)}`)
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object'
    ? Object.values(value)
        .map(each => inWords(each, indent))
        .join('  ')
    : String(value)
}

function userOfThisMachine(): string {
  try {
    return userInfo().username
  } catch {
    // A container's user may not have a name.
    return `user ${process.getuid?.()}`
  }
}

function given() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        reason: { type: 'string' },
        by: { type: 'string', default: userOfThisMachine() },
        yes: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`)
    process.exit(2)
  }
}

const {
  positionals: [name = '', who, ...more],
  values: { reason, by, json, yes },
} = given()
try {
  if (!/^https?:/.test(MANAGEMENT_URL) || !URL.canParse(MANAGEMENT_URL))
    throw new Failure(
      `${MANAGEMENT_URL} is no address such as http://127.0.0.1:9090: set MANAGEMENT_URL or MANAGEMENT_PORT.`,
      2,
    )
  const command = name === '' ? page : Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command || (name && !who)) throw new Failure(USAGE, 2)
  if (more.length) throw new Failure(`One account at a time: ${more.join(' ')} is too much.`, 2)
  const data = await command(who ?? '')
  process.stdout.write(`${json ? JSON.stringify(data, null, 2) : formatted(data)}\n`)
} catch (error) {
  if (!(error instanceof Failure)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = error.exitCode
}
