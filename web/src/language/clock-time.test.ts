import { activate } from '@voxscribe/languages'
import { speak } from '../testing/speak.ts'
import { clockTime } from './clock-time.ts'
import { i18n } from './i18n.ts'

afterEach(() => speak('en'))

test.each([
  ['en', '1:02:05', '0:07'],
  ['ar-EG', '١:٠٢:٠٥', '٠:٠٧'],
] as const)('when a time is shown in %s, then in the digits of that place', (locale, ...said) => {
  activate(i18n, locale, {})
  expect([clockTime(3725), clockTime(7.9)]).toEqual(said)
})
