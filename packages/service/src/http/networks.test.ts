import { networkOf } from './networks.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  // Azure's gateways report addresses in this form.
  ['203.0.113.7:50123', '203.0.113.7'],
  ['[2001:db8:1:2::1]:50123', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['', ''],
])('when %j calls, then %j is counted', (address, counted) => {
  expect(networkOf(address)).toBe(counted)
})
