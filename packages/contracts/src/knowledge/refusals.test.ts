import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createI18n } from '@voxscribe/languages'
import { HOOKS_MAX } from './limits.ts'
import { limitText, REFUSALS, refusalIn } from './refusals.ts'

const root = join(import.meta.dirname, '../../../..')

test('when a call is refused, then its sentence is in no other file', () => {
  const files = globSync(['packages/*/src/**/*.ts', 'services/*/src/**/*.ts', 'web/src/**/*.{ts,tsx}'], {
    cwd: root,
    exclude: ['**/node_modules', '**/*.test.*', '**/testing/**', '**/refusals.ts'],
  }).map(file => readFileSync(join(root, file), 'utf8'))
  const said = Object.values(REFUSALS).map(({ text }) => text)
  expect(said.filter(text => files.some(file => file.includes(`'${text}'`)))).toEqual([])
})

test('when two refusals say the same, then with other values', () => {
  const said = Object.values(REFUSALS).map(({ code, text, values }) => JSON.stringify([code, text, values]))
  expect(said).toEqual([...new Set(said)])
})

const german = createI18n('de', {
  'Name is required': 'Name fehlt',
  'This hook is off. Turn it on first.': 'Ausgeschaltet.',
  'You have {max} hooks. Delete one that you no longer use.': 'Schon {max} Webhooks.',
  'Too many requests for now. Please try again in {wait}.': 'Zu oft. In {wait} wieder.',
  '{hours, plural, one {about # hour} other {about # hours}}': '{hours, plural, other {etwa # Stunden}}',
})

test('when a limit is used up, then its sentence says for how long, where that is known', () => {
  expect(limitText('rate_limited', 7_200)).toBe(
    'Too many requests for now. Please try again in about 2 hours.',
  )
  expect(refusalIn(german, 'rate_limited', '', 7_200)).toBe('Zu oft. In etwa 2 Stunden wieder.')
  expect(refusalIn(german, 'rate_limited', '')).toBeUndefined()
  expect(refusalIn(german, 'hook_off', '', 7_200)).toBe('Ausgeschaltet.')
})

test.each([
  ['its code', 'hook_off', '', 'Ausgeschaltet.'],
  ['its code, with the limit', 'too_many_hooks', '', `Schon ${HOOKS_MAX} Webhooks.`],
  ['the English of a schema', 'invalid', 'Name is required', 'Name fehlt'],
  ['no code, as a form has it', '', 'Name is required', 'Name fehlt'],
  ['a code that this version does not know', 'sunday', 'Not on Sundays', undefined],
  ['facts that only the service has', 'missing_scope', 'No “write”', undefined],
  ['the name of a method of objects', 'toString', 'No', undefined],
])(
  'when a refusal is read by %s, then it has its translation, if there is one',
  (_, code, message, expected) => {
    expect(refusalIn(german, code, message)).toBe(expected)
  },
)
