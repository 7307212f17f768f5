import { hostname, networkInterfaces } from 'node:os'
import { type Part, refuseInPublic } from './in-public.ts'

const ALL: Part[] = ['whatsapp', 'stripe', 'mail']
const ours = Object.values(networkInterfaces()).flatMap(each => each ?? [])
const inNetwork = ours.find(({ family, internal }) => family === 'IPv4' && !internal)

test.each([
  'http://localhost:8080',
  'http://127.0.0.1',
  'http://127.8.0.1:8080',
  'http://[::1]:8080',
  'http://app.localhost:8080',
  `http://${hostname()}:8080`,
  ...(inNetwork ? [`http://${inNetwork.address}:8080`] : []),
])('when people reach it at %s, then the sandbox may be on', url => {
  expect(() => refuseInPublic(url, ALL, {}, false)).not.toThrow()
})

test.each([
  'https://voice.example.com',
  'http://voice.example.com',
  'https://localhost',
  'http://203.0.113.7',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
])('when people reach it at %s, then the start names what is missing', url => {
  expect(() => refuseInPublic(url, ALL, { WHATSAPP_NUMBER: '15550783881' }, false)).toThrow(
    /WHATSAPP_PHONE_NUMBER_ID, WHATSAPP_ACCESS_TOKEN[\s\S]*STRIPE_SECRET_KEY[\s\S]*SMTP_URL/,
  )
  expect(() => refuseInPublic(url, ['mail'], {}, false)).toThrow(/SANDBOX=on[^:]*:\n {2}mail: SMTP_URL\n$/)
  for (const [parts, isMeant] of [
    [[], false],
    [ALL, true],
  ] as const)
    expect(() => refuseInPublic(url, [...parts], {}, isMeant)).not.toThrow()
})
