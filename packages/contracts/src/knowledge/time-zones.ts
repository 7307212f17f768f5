/** The zone of most people, where a country has several. */
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

/** Returns the time zone of a country's (alpha-2) most people; UTC for an unknown one. */
export function timeZoneOfCountry(country: string | undefined): string {
  if (!country) return 'UTC'
  // Not in TypeScript's library yet. Elsewhere the first one by name has the most people.
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?(): string[] | undefined }
  return OF_MOST[country] ?? locale.getTimeZones?.()?.[0] ?? 'UTC'
}

/** Whether it is the name of a time zone, as browsers give it (`Europe/Berlin`). */
export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
