import { createPrivateKey, createPublicKey } from 'node:crypto'
import {
  areOnP256,
  baseSettings,
  duration,
  hooksAllowPrivate,
  oidcSettings,
  pem,
  publicUrl,
  rate,
  retentionDays,
  signUp,
  supportEmail,
  url,
} from '@voxscribe/service'
import { z } from 'zod'

const publicHalf = (privateKey: string) =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()

const OIDC = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const

function isSafe(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

export const authSettings = baseSettings
  .extend({
    JWT_PRIVATE_KEY: z
      .string('is needed')
      .pipe(pem)
      .refine(text => areOnP256(() => [createPrivateKey(text)]), 'must be a private key on the curve P-256')
      .describe('Signs access tokens (ES256): PEM or base64 of it; `npm start` makes one under `DATA_DIR`'),
    ACCESS_TOKEN_TTL: duration('15m').describe('How long an access token lasts'),
    REFRESH_TOKEN_TTL: duration('30d', '3650d').describe('How long a session lasts without being renewed'),
    RESET_TOKEN_TTL: duration('1h').describe('How long the link of a password mail works'),
    PASSKEY_CHALLENGE_TTL: duration('5m').describe(
      'How long a person may take to use a passkey; passkeys need a `PUBLIC_URL` with a host name',
    ),
    PUBLIC_URL: publicUrl,
    SUPPORT_EMAIL: supportEmail,
    SIGN_UP: signUp,
    OIDC_ISSUER: url
      .refine(isSafe, 'must begin with https://, except on this machine')
      .optional()
      .describe('Issuer of your OpenID provider, as its own document states it; unset: none'),
    OIDC_CLIENT_ID: z.string().optional().describe('Client id of Voxscribe at the provider'),
    OIDC_CLIENT_SECRET: z.string().optional().describe('The secret of that client'),
    ...oidcSettings,
    RETENTION_DAYS: retentionDays,
    HOOKS_ALLOW_PRIVATE: hooksAllowPrivate,
    RATE_LIMIT_LOGIN_ACCOUNT: rate('10/15m').describe('Wrong passwords per account'),
    RATE_LIMIT_LOGIN_ADDRESS: rate('100/15m').describe('Tries to sign in per address'),
    RATE_LIMIT_REGISTER: rate('20/1h').describe('New accounts per address'),
    RATE_LIMIT_FORGOT_ADDRESS: rate('20/1h').describe('Password mails asked for per address'),
    RATE_LIMIT_FORGOT_ACCOUNT: rate('5/1h').describe(
      'Password mails asked for per account, and invitations per address',
    ),
    RATE_LIMIT_INVITE: rate('20/1h').describe('Invitations mailed per person'),
    RATE_LIMIT_PASSWORD: rate('10/15m').describe('Wrong passwords per person who is signed in'),
    RATE_LIMIT_CHANGE_PASSWORD: rate('10/1h').describe(
      'Changes of the password per person, wrong tries included',
    ),
    RATE_LIMIT_PROFILE: rate('30/1h').describe('Changes of the profile per person'),
    RATE_LIMIT_KEY: rate('120/1m').describe('Calls per person with API keys'),
    RATE_LIMIT_REFRESH: rate('60/1m').describe('Renewed sessions per address'),
  })
  .superRefine((settings, context) => {
    if (!settings.OIDC_ONLY && OIDC.every(name => !settings[name])) return
    for (const name of OIDC.filter(name => !settings[name]))
      context.addIssue({ code: 'custom', path: [name], message: 'is needed to sign in by a provider' })
  })
  // Auth accepts tokens signed with its own key and, during a key rotation, with the previous one.
  .transform(settings => ({
    ...settings,
    JWT_PUBLIC_KEY: publicHalf(settings.JWT_PRIVATE_KEY) + (settings.JWT_PUBLIC_KEY ?? ''),
  }))
export type AuthSettings = z.output<typeof authSettings>
