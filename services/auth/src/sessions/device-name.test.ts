import { deviceName } from './device-name.ts'

const CHROME =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36'

test.each([
  ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['Chrome on Android', CHROME],
  [
    'Safari on iOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  ],
  ['Unknown device', undefined],
  ['Unknown device', ''],
  ['Unknown device', 'curl/8.14.1'],
  ['Unknown device', 'Your bank, <b>call +1 555 0100</b>/1.0 (Windows NT 10.0)'],
  ['Unknown device', 'constructor/1.0 (__proto__)'],
  ['Unknown device', '\u202e'.repeat(10_000)],
])('when somebody signs in, then the device is %s (%s)', (device, header) => {
  expect(deviceName(header)).toBe(device)
})

test('when the header goes on and on, then only its beginning is read', () => {
  expect(deviceName(`${CHROME}${' '.repeat(500)}(Windows NT 10.0)`)).toBe('Chrome on Android')
})
