import type { CountryItem, User } from '@voxscribe/contracts/http'

export const ada: User = {
  id: 'user-1',
  first_name: 'Ada',
  last_name: 'Lind',
  name: 'Ada Lind',
  email: 'ada@example.org',
  wtp_number: '2015550123',
  country_code: '840',
  wa_language: 'auto',
  ui_language: 'en',
  time_zone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  late_answers: 'mail',
  gist: 'long',
  keep_audio: true,
  retention_days: 30,
  link_code: 'K7M2QX',
  linked: false,
  subscription: {
    plan: 'free',
    status: 'active',
    subscription_minutes: 30,
    used_minutes: 4.5,
    current_period_end: '2026-12-20T10:00:00.000Z',
  },
}

export const someCountries: CountryItem[] = [
  { id: '004', code: 'AF', iso: 'AFG', label: 'Afghanistan', phonecode: '+93' },
  { id: '124', code: 'CA', iso: 'CAN', label: 'Canada', phonecode: '+1' },
  { id: '276', code: 'DE', iso: 'DEU', label: 'Germany', phonecode: '+49' },
  { id: '356', code: 'IN', iso: 'IND', label: 'India', phonecode: '+91' },
  { id: '826', code: 'GB', iso: 'GBR', label: 'United Kingdom', phonecode: '+44' },
  { id: '840', code: 'US', iso: 'USA', label: 'United States', phonecode: '+1' },
]

/** Returns a token that expires in so many seconds. It has only the parts that a browser reads. */
export function tokenFor(seconds: number, mark = 'a'): string {
  const now = Math.floor(Date.now() / 1000)
  const part = (value: object) => btoa(JSON.stringify(value)).replace(/=+$/, '')
  return `${part({ alg: 'ES256' })}.${part({ sub: mark, iat: now - 900 + seconds, exp: now + seconds })}.${mark}`
}
