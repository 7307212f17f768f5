import { inTimeZone, type UiLanguage } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { localTitle } from './local-title.ts'

const MADE = 'Voice note 2025-11-25 16.48.ogg'
const plain = (text: string) => text.replace(/[\u202f\u00a0]/g, ' ').replace(/[\u2066-\u2069]/g, '')

test.each<[UiLanguage, string, string, string]>([
  ['pt', 'BR', 'America/Sao_Paulo', 'Áudio de 25 de nov. de 2025, 13:48 · sem fala'],
  ['en', 'US', 'America/New_York', 'Voice note of Nov 25, 2025, 11:48 AM · no speech'],
  ['de', 'DE', 'Europe/Berlin', 'Sprachnachricht vom 25.11.2025, 17:48 · nichts gesprochen'],
  ['es', 'MX', 'America/Mexico_City', 'Nota de voz del 25 nov 2025, 10:48 a.m. · sin voz'],
])(
  'when a note without speech is shown in %s to %s, then its title is in the reader’s words and time',
  (language, country, zone, title) => {
    expect(plain(localTitle(inTimeZone(i18nFor(language, country), zone), MADE, true))).toBe(title)
  },
)

test('when the year is running, then it is left out', () => {
  const title = `Audio ${new Date().toISOString().slice(0, 10)} 14.05.mp3`
  expect(localTitle(i18nFor('en'), title)).toMatch(/^Audio of \w+ \d+, 2:05\sPM$/)
})

test.each(['Rome', 'Voice note', 'Voice note 2025-11-25 16.48 from Ada.ogg', 'PTT-20251125-WA0003.opus'])(
  'when a title is "%s", then it stays as it is',
  title => {
    expect(localTitle(i18nFor('pt', 'BR'), title, true)).toBe(title)
  },
)
