import { randomBytes } from 'node:crypto'
import type { Service } from '@voxscribe/contracts/events'
import type { RequestHandler } from 'express'
import about from '../../package.json' with { type: 'json' }
import { sendProblem } from '../http/http.ts'
import { refusal } from '../http/problem.ts'
import { isSame, newSecret } from '../http/secrets.ts'
import type { AdminCall } from './admin.ts'

/** Counts, sizes and states by section and name, without anyone's words or addresses. */
export type Figures = Record<string, Record<string, string | number>>

/** Services with figures. A service in another process is asked under its name in Compose and Kubernetes. */
const ASKED: Service[] = ['auth', 'transcription']
const TIMEOUT_MS = 5_000

interface PageParts {
  /** The `figures` call of each service in this process. */
  local: ReadonlyMap<Service, AdminCall>
  health(): Record<string, { ok: boolean; detail: string }>
  /** Queues with dead letters; undefined without a bus. */
  deadLetters(): Promise<{ queue: string }[]> | undefined
}

/** A read-only page about the installation, at an address from `npm run admin`, each of which ends the previous one. */
export function createAdminPage(parts: PageParts) {
  let token = ''
  const isToken = (given: unknown) => typeof given === 'string' && token !== '' && isSame(given, token)
  const show: RequestHandler = async ({ query }, response) => {
    if (!isToken(query.token)) return sendProblem(response, refusal('not_an_operator'))
    const nonce = randomBytes(16).toString('base64')
    response
      .set({
        'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      })
      .type('html')
      .send(pageOf(await figuresOf(parts), nonce))
  }
  return {
    show,
    /** Returns the page's path with a new token. */
    open: (): string => {
      token = newSecret()
      return `/admin?token=${token}`
    },
  }
}

async function figuresOf({ local, health, deadLetters }: PageParts): Promise<Figures> {
  const [letters, ...asked] = await Promise.all([
    deadLetters(),
    ...ASKED.map(service => ask(service, local.get(service))),
  ])
  const queues = Map.groupBy(letters ?? [], ({ queue }) => queue)
  const sections: Figures = {}
  const add = (section: string, rows: Figures[string]) => {
    sections[section] = { ...sections[section], ...rows }
  }
  for (const figures of asked) for (const [section, rows] of Object.entries(figures)) add(section, rows)
  add('Errors', { 'dead letters': letters?.length ?? 'unknown' })
  add('Errors', Object.fromEntries([...queues].map(([queue, { length }]) => [`in ${queue}`, length])))
  add(
    'Health',
    Object.fromEntries(
      Object.entries(health()).map(([part, { ok, detail }]) => [part, ok ? 'ok' : `not ok: ${detail}`]),
    ),
  )
  add('This process', {
    version: about.version,
    Node: process.version,
    started: new Date(Date.now() - process.uptime() * 1000).toISOString().slice(0, 16).replace('T', ' '),
    memory: `${Math.round(process.memoryUsage.rss() / 1e6)} MB`,
  })
  return sections
}

async function ask(service: Service, here: AdminCall | undefined): Promise<Figures> {
  const body = { by: 'the page /admin' }
  try {
    if (here) return (await here(body)).figures as Figures
    const answer = await fetch(`http://${service}:9090/admin/${service}/figures`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return ((await answer.json()) as { data: { figures: Figures } }).data.figures
  } catch {
    return { Health: { [service]: 'does not answer' } }
  }
}

const escaped = (value: string | number) => String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const STYLE = `:root{color-scheme:light dark;font:1rem/1.6 "Instrument Sans",ui-sans-serif,system-ui,sans-serif;
background:light-dark(#fbfbf8,#12141c);color:light-dark(#191d33,#edeef4)}
body{margin:0}main{max-width:64rem;margin:auto;padding:2rem 1.25rem}h1{margin:0}p{color:light-dark(#545a73,#a9afc4)}
div{display:grid;gap:1.25rem;align-items:start;grid-template-columns:repeat(auto-fill,minmax(min(100%,18rem),1fr))}
section{background:light-dark(#fff,#1a1d28);border:1px solid light-dark(#e2e2d9,#2d3242);border-radius:1rem;padding:1.25rem}
h2{font-size:1.1rem;margin:0 0 .5rem}table{border-collapse:collapse;width:100%}
th,td{border-top:1px solid light-dark(#e2e2d9,#2d3242);padding:.35rem 0;vertical-align:top;overflow-wrap:anywhere}
th{font-weight:400;text-align:start;padding-inline-end:1rem}td{text-align:end;font-variant-numeric:tabular-nums;font-weight:600}`

function pageOf(sections: Figures, nonce: string): string {
  const tables = Object.entries(sections).map(([section, rows]) => {
    const lines = Object.entries(rows).map(
      ([name, value]) => `<tr><th scope="row">${escaped(name)}</th><td>${escaped(value)}</td></tr>`,
    )
    return `<section><h2>${escaped(section)}</h2><table>${lines.join('')}</table></section>`
  })
  const time = new Date().toISOString().slice(0, 19).replace('T', ' ')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>This installation · Voxscribe</title>
<style nonce="${nonce}">${STYLE}</style></head>
<body><main><h1>This installation</h1><p>As of ${time} UTC. Reload for newer figures.</p>
<div>${tables.join('\n')}</div></main></body>
</html>
`
}
