import { hostname, networkInterfaces } from 'node:os'

/** Settings of the real providers, by the part that the sandbox simulates. */
const REAL = {
  whatsapp: [
    'WHATSAPP_NUMBER',
    'WHATSAPP_PHONE_NUMBER_ID',
    'WHATSAPP_ACCESS_TOKEN',
    'WHATSAPP_APP_SECRET',
    'WHATSAPP_VERIFY_TOKEN',
  ],
  telegram: ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_WEBHOOK_SECRET'],
  stripe: ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
  mail: ['SMTP_URL'],
} as const
export type Part = keyof typeof REAL

/** Whether an address leads to this machine only, or to one of its network addresses. */
export function isHere(address: string): boolean {
  const { protocol, hostname: host } = new URL(address)
  const own = Object.values(networkInterfaces()).flatMap(each => each ?? [])
  const names = ['localhost', hostname().toLowerCase(), '[::1]', ...own.map(({ address }) => address)]
  return protocol === 'http:' && (names.includes(host) || /^127[.\d]*$|\.localhost$/.test(host))
}

/** Throws if others can reach `publicUrl` while parts are simulated: they could read chats and buy for nothing. */
export function refuseInPublic(
  publicUrl: string,
  parts: Part[],
  env: Record<string, string | undefined>,
  isMeant: boolean,
): void {
  if (isMeant || !parts.length || isHere(publicUrl)) return
  const missing = parts.map(part => `  ${part}: ${REAL[part].filter(name => !env[name]).join(', ')}\n`)
  throw new Error(
    `PUBLIC_URL is ${publicUrl}, where others reach this, but the sandbox stands in for providers.\n` +
      `Set what is missing, or SANDBOX=on if that is meant:\n${missing.join('')}`,
  )
}
