import { type Check, check, numberIdsOf, ok, skipped, wrong } from '@voxscribe/service'
import type { AxiosResponse } from 'axios'
import type { NotificationSettings } from '../settings.ts'
import { openGraph } from './whatsapp.ts'

// Shapes from developers.facebook.com, November 2026: WhatsApp's pages on permissions (debug_token) and webhooks
// (subscribed_apps), and the reference of an app's subscriptions.

interface TokenFacts {
  app_id: string
  is_valid: boolean
  /** Unix seconds; 0: never. */
  expires_at?: number
  scopes?: string[]
  granular_scopes?: { scope: string; target_ids?: string[] }[]
}

const MESSAGING = 'whatsapp_business_messaging'
const MANAGEMENT = 'whatsapp_business_management'
const WEEK_SECONDS = 7 * 24 * 3600
const TIMEOUT_MS = 10_000
const NEW_TOKEN = `Make a token that never expires for a system user (Business settings → System users) with ${MESSAGING} and ${MANAGEMENT}, and set WHATSAPP_ACCESS_TOKEN.`
const APP_SECRET = 'Set WHATSAPP_APP_SECRET to the app secret on the page App settings → Basic.'
const NUMBER_ID = 'Set WHATSAPP_PHONE_NUMBER_ID to the id on the page WhatsApp → API Setup.'

/** Checks Meta's side of the number: token, scopes, number, webhook, account. */
export function whatsappChecks(settings: NotificationSettings & { WHATSAPP_APP_SECRET: string }): Check[] {
  const { WHATSAPP_ACCESS_TOKEN: token } = settings
  const numberIds = numberIdsOf(settings)
  const { WHATSAPP_GRAPH_URL: graphUrl, WHATSAPP_GRAPH_VERSION: version, WHATSAPP_NUMBER: number } = settings
  const callback = `${settings.PUBLIC_URL}/webhooks/whatsapp`
  /** Throws an error with Meta's message if the call is refused. */
  async function ask(path: string, params = {}, accessToken = token) {
    const graph = openGraph({ ...settings, WHATSAPP_ACCESS_TOKEN: accessToken }, TIMEOUT_MS)
    const { status, data }: AxiosResponse = await graph.get(path, { params })
    if (status < 300) return data
    throw new Error(`Meta answers ${status}: ${data?.error?.message ?? 'in an unknown form'}`)
  }
  let facts: TokenFacts

  async function lookAtToken() {
    facts = (await ask('/debug_token', { input_token: token })).data
    const { app_id, is_valid, expires_at: end = 0 } = facts
    if (!is_valid) return wrong('Meta says that it is not valid', NEW_TOKEN)
    const saw = `of app ${app_id}, ${end ? `until ${new Date(end * 1000).toISOString()}` : 'without end'}`
    return end && end < Date.now() / 1000 + WEEK_SECONDS ? wrong(saw, NEW_TOKEN) : ok(saw)
  }

  async function lookAtScopes() {
    const saw = facts.scopes?.join(', ') || 'none'
    return saw.includes(MESSAGING) ? ok(saw) : wrong(saw, NEW_TOKEN)
  }

  async function lookAtNumber() {
    const all: string[] = []
    for (const id of numberIds)
      all.push(String((await ask(`/${id}`, { fields: 'display_phone_number' })).display_phone_number))
    const [shown = ''] = all
    const digits = shown.replace(/\D/g, '')
    if (digits === number) return ok(all.join(', '))
    const next = `Set WHATSAPP_NUMBER=${digits}, or WHATSAPP_PHONE_NUMBER_ID to the id of your number.`
    return wrong(`it is ${shown}, WHATSAPP_NUMBER is ${number || 'not set'}`, next)
  }

  async function lookAtWebhook() {
    const next = `In the app, WhatsApp → Configuration, set the callback URL ${callback} with WHATSAPP_VERIFY_TOKEN, and subscribe to "messages".`
    const appToken = `${facts.app_id}|${settings.WHATSAPP_APP_SECRET}`
    const { data } = await ask(`/${facts.app_id}/subscriptions`, {}, appToken)
    const found = data.find(({ object = '' }) => object === 'whatsapp_business_account')
    if (found?.callback_url !== callback) return wrong(`it goes to ${found?.callback_url ?? 'nobody'}`, next)
    const fields: string[] = found.fields.map(({ name = '' }) => name)
    const saw = `${found.active ? 'active' : 'inactive'}, for ${fields.join(', ')}`
    return found.active && fields.includes('messages') ? ok(saw) : wrong(saw, next)
  }

  /** Checks that each business account of the numbers sends its webhooks to the app. */
  async function lookAtAccount() {
    const accounts = facts.granular_scopes?.find(({ scope }) => scope === MANAGEMENT)?.target_ids ?? []
    const found: string[] = []
    for (const id of accounts) {
      const { data: numbers } = await ask(`/${id}/phone_numbers`)
      if (!numbers.some((each: { id: string }) => numberIds.includes(each.id))) continue
      const { data: apps } = await ask(`/${id}/subscribed_apps`)
      const isOurs = (app: { whatsapp_business_api_data?: { id: string } }) =>
        app.whatsapp_business_api_data?.id === facts.app_id
      if (apps.some(isOurs)) {
        found.push(id)
        continue
      }
      const next = `Subscribe the app: POST ${graphUrl}/${version}/${id}/subscribed_apps with the token as bearer.`
      return wrong(`account ${id} does not send to app ${facts.app_id}`, next)
    }
    if (found.length) return ok(`account ${found.join(', ')} sends to app ${facts.app_id}`)
    return skipped(`the token names no account with this number; it would take ${MANAGEMENT}`)
  }

  return [
    check('whatsapp-token', NEW_TOKEN, lookAtToken),
    check('whatsapp-scopes', NEW_TOKEN, lookAtScopes, 'whatsapp-token'),
    check('whatsapp-number', NUMBER_ID, lookAtNumber, 'whatsapp-scopes'),
    check('whatsapp-webhook', APP_SECRET, lookAtWebhook, 'public-url', 'whatsapp-token'),
    check('whatsapp-account', NEW_TOKEN, lookAtAccount, 'whatsapp-number'),
  ]
}
