import { mayHaveToken } from './whatsapp-media.ts'

const settings = {
  WHATSAPP_GRAPH_URL: 'https://graph.facebook.com',
  WHATSAPP_MEDIA_HOSTS: ['*.fbsbx.com', 'media.example'],
}

test.each([
  ['https://graph.facebook.com/v26.0/1', true],
  ['https://lookaside.fbsbx.com/x', true],
  ['https://a.b.fbsbx.com/x', true],
  ['https://LOOKASIDE.FBSBX.COM/x', true],
  ['https://media.example/x', true],
  ['http://graph.facebook.com/v26.0/1', false],
  ['https://graph.facebook.com:8443/', false],
  ['http://lookaside.fbsbx.com/x', false],
  ['https://fbsbx.com/x', false],
  ['https://evilfbsbx.com/x', false],
  ['https://lookaside.fbsbx.com.evil.example/x', false],
  ['https://lookaside.fbsbx.com@evil.example/x', false],
  ['https://evil.example/lookaside.fbsbx.com', false],
  ['https://sub.media.example/x', false],
])('when a file is at %s, then whether our token goes there is %s', (url, goes) => {
  expect(mayHaveToken(new URL(url), settings)).toBe(goes)
})
