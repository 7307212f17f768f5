import { mayHaveToken } from './whatsapp-media.ts'

const settings = {
  WHATSAPP_GRAPH_URL: 'https://graph.facebook.com',
  WHATSAPP_MEDIA_HOSTS: ['*.fbsbx.com', 'media.example'],
}

test.each([
  'https://graph.facebook.com/v26.0/1',
  'https://lookaside.fbsbx.com/x',
  'https://a.b.fbsbx.com/x',
  'https://LOOKASIDE.FBSBX.COM/x',
  'https://media.example/x',
])('when a file is at %s, then our token goes there', url => {
  expect(mayHaveToken(new URL(url), settings)).toBe(true)
})

test.each([
  'http://graph.facebook.com/v26.0/1',
  'https://graph.facebook.com:8443/',
  'http://lookaside.fbsbx.com/x',
  'https://fbsbx.com/x',
  'https://evilfbsbx.com/x',
  'https://lookaside.fbsbx.com.evil.example/x',
  'https://lookaside.fbsbx.com@evil.example/x',
  'https://evil.example/lookaside.fbsbx.com',
  'https://sub.media.example/x',
])('when a file is at %s, then our token does not go there', url => {
  expect(mayHaveToken(new URL(url), settings)).toBe(false)
})
