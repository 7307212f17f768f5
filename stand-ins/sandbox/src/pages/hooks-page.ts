import { type Response, Router } from 'express'
import { HOOK_ANSWERS, type HooksPart, isSigned, type ReceivedHook } from '../hooks/index.ts'
import { ApiError } from '../input.ts'
import { html, moment } from './html.ts'
import type { SendPage } from './layout.ts'

/** Returns the message's type, if its body has one. */
function typeOf({ body }: ReceivedHook): string {
  const [, type = 'Message'] = /^\{"type":"([\w.]{1,60})"/.exec(body) ?? []
  return type
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

const listEntry = (hook: ReceivedHook, open: ReceivedHook | null) => html`
  <li><a href="/hooks/${hook.id}"${hook.id === open?.id && html` aria-current="true"`}>
    <strong>${typeOf(hook)}</strong>
    <span>to <bdi>/hooks/${hook.name}</bdi></span>
    ${moment(hook.at)}
  </a></li>`

function signature(hook: ReceivedHook, secret: string): string {
  if (!secret) return 'Not checked: paste the hook’s secret on the page of all messages'
  return isSigned(hook, secret) ? 'Signed with the secret' : 'Not signed with the secret'
}

const reading = (hook: ReceivedHook, secret: string) => html`
    <article class="reading">
      <a class="narrow" href="/hooks">All messages</a>
      <h1>${typeOf(hook)}</h1>
      <dl class="envelope">
        <dt>Signature</dt><dd>${signature(hook, secret)}</dd>
        <dt>Came</dt><dd>${moment(hook.at)}</dd>
        ${Object.entries(hook.headers).map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
      </dl>
      <pre class="plain" dir="ltr">${indented(hook.body)}</pre>
    </article>`

const settingsForm = ({ answer, secret }: ReturnType<HooksPart['settings']['read']>, problem: string) => html`
        <form method="post" action="/hooks" class="rows">
          ${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
          <label>Answer to each message
            <select name="answer">
              ${Object.entries(HOOK_ANSWERS).map(
                ([each, name]) =>
                  html`<option value="${each}"${each === answer && html` selected`}>${name}</option>`,
              )}
            </select>
          </label>
          <label>Secret of the hook, to check signatures
            <input name="secret" value="${secret}" autocomplete="off" spellcheck="false">
          </label>
          <button>Save</button>
        </form>`

/** The page of messages to hooks, with the setting for their response. */
export function hooksPages({ find, received, settings }: HooksPart, sendPage: SendPage) {
  const router = Router()

  function show(response: Response, open: ReceivedHook | null, problem = '') {
    const all = received()
    const origin = `${response.req.protocol}://${response.req.get('host')}`
    const main = html`
    <div class="split ${open && 'open'}">
      <aside class="side" aria-label="Messages to hooks">
        ${!open && html`<h1 class="unseen">Hooks</h1>${settingsForm(settings.read(), problem)}`}
        <div class="list" data-live="hooks">
          ${
            all.length
              ? html`<ul>${all.map(hook => listEntry(hook, open))}</ul>`
              : html`<p class="empty">Nothing has come yet. Give a hook an address such as <bdi>${origin}/hooks/mine</bdi></p>`
          }
        </div>
      </aside>
      ${open ? reading(open, settings.read().secret) : html`<p class="reading empty">Stands in for a server of your own.</p>`}
    </div>`
    const title = open ? typeOf(open) : 'Hooks'
    sendPage(response, { title, section: 'hooks', full: true, main })
  }

  router.get('/hooks', (_request, response) => show(response, null))
  router.post('/hooks', ({ body }, response) => {
    try {
      settings.change(body)
      response.redirect(303, '/hooks')
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      show(response.status(error.status), null, error.message)
    }
  })
  router.get('/hooks/:id', (request, response, next) => {
    const hook = find(request.params.id)
    if (hook) show(response, hook)
    else next()
  })
  return router
}
