import { english } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { mailPage } from './mail-page.ts'

const content = {
  paragraphs: ['First & "last".', 'Two\nlines <script>alert(1)</script>'],
  button: { label: 'Go', url: 'https://voxscribe.test/?a=1&b="2"' },
  note: 'Small print',
}

test('when a mail is made, then the plain text has every word and the link', () => {
  expect(mailPage(english, content, '<b>Ada').text).toBe(
    'Hi <b>Ada,\n\nFirst & "last".\n\nTwo\nlines <script>alert(1)</script>\n\n' +
      'Go:\nhttps://voxscribe.test/?a=1&b="2"\n\nSmall print\n\n— Voxscribe\n',
  )
})

test('when a mail is made, then nothing that was typed is markup', () => {
  const { html } = mailPage(english, content, '<b>Ada')
  expect(html).not.toContain('<script>')
  expect(html).not.toContain('<b>')
  expect(html).toContain('lines &#60;script&#62;')
  expect(html).toContain('href="https://voxscribe.test/?a=1&#38;b=&#34;2&#34;"')
  expect(html).toContain('prefers-color-scheme:dark')
})

test('when a note’s text is mailed in a language from right to left, then each paragraph has its own direction', () => {
  const { html } = mailPage(i18nFor('ar'), { paragraphs: ['Hello there.'] })
  expect(html).toContain('dir="rtl"')
  expect(html).toMatch(/<p dir="auto"[^>]*>Hello there\./)
})

test.each(['VX-7KQ2M9TD', '+1 555 078 3881'])('when a mail has %s, then it stays on one line', whole => {
  const { text, html } = mailPage(english, { paragraphs: [`Yours is ${whole}.`] })
  expect(html).toContain(`is <span style="white-space:nowrap">${whole}</span>.`)
  expect(text).toContain(`is ${whole}.`)
})

test('when there is neither name nor button, then the mail does without', () => {
  const { text, html } = mailPage(english, { paragraphs: ['Words.'] })
  expect(text).toBe('Hello,\n\nWords.\n\n— Voxscribe\n')
  expect(html).not.toContain('<a ')
})

test.each([
  'You won: https://evil.example',
  'evil.example/prize',
  'WWW.EVIL',
  'Claim at evil.com',
  'post@evil',
  'пример.рф',
])('when a person is called %j, then the mail greets nobody: the address may be a stranger’s', name => {
  expect(mailPage(english, content, name).text).toMatch(/^Hello,/)
})

test.each(['J.R.R.', 'Ana Mª. de la Cruz', 'Dr. Ada', 'O’Neill Jr.', 'محمد'])(
  'when a person is called %j, then the mail greets them by it',
  name => {
    expect(mailPage(english, content, name).text).toMatch(`Hi ${name},`)
  },
)
