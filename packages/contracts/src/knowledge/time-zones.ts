/** The zone of most people, for countries with several. */
const OF_MOST: Record<string, string> = {
  AR: 'America/Buenos_Aires',
  AU: 'Australia/Sydney',
  BR: 'America/Sao_Paulo',
  CA: 'America/Toronto',
  CL: 'America/Santiago',
  CY: 'Asia/Nicosia',
  GL: 'America/Godthab',
  KI: 'Pacific/Tarawa',
  MH: 'Pacific/Majuro',
  FM: 'Pacific/Truk',
  MN: 'Asia/Ulaanbaatar',
  MX: 'America/Mexico_City',
  PF: 'Pacific/Tahiti',
  PG: 'Pacific/Port_Moresby',
  PT: 'Europe/Lisbon',
  RU: 'Europe/Moscow',
  ES: 'Europe/Madrid',
  US: 'America/New_York',
  UZ: 'Asia/Tashkent',
}

/** Returns the time zone of most people in a country (alpha-2); UTC for an unknown country. */
export function timeZoneOfCountry(country: string | undefined): string {
  if (!country) return 'UTC'
  // TypeScript's library lacks `getTimeZones`. In the countries not listed above, its first zone has the most people.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[] | undefined }
  return OF_MOST[country] ?? locale.getTimeZones?.()?.[0] ?? 'UTC'
}

/** Whether a time zone has this name, in the form that browsers use (`Europe/Berlin`). */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
