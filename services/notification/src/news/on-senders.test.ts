import {
  BalanceTold,
  type ChatCommand,
  MessageRefused,
  NumberDisowned,
  SenderLinked,
  SenderUnknown,
  type Source,
} from '@voxscribe/contracts/events'
import { readNumber } from '@voxscribe/contracts/phone-lines'
import { english } from '@voxscribe/languages'
import { graphError } from '@voxscribe/sandbox/testing'
import { strangerText } from '../chat/chat-texts.ts'
import { chatKey } from '../sending/outbound.ts'
import { i18nOfStranger } from '../sending/people.ts'
import { newAccount, newSource, notificationForAll, startNotification } from '../testing.ts'

const app = notificationForAll()

const unknown = (source: Source, noteWaits = true, isNote = noteWaits) =>
  SenderUnknown.create({ isNote, noteWaits, source })
const told = (source: Source, command: ChatCommand, remainingSeconds = 1788) =>
  BalanceTold.create({
    userId: 'u1',
    command,
    remainingSeconds,
    periodEnd: '2026-12-20T10:00:00.000Z',
    source,
  })

test('when a stranger sends a note, then they are told how to sign up and that the note waits', async () => {
  const source = newSource()
  await app.publish(unknown(source))
  const [text] = await app.texts(source.address)
  expect(text).toContain(`https://voxscribe.test/signup?phone=${source.address} `)
  expect(text).toContain('automated')
  expect(text).toContain('7 days')
  expect(text).toContain('link code')
  expect(app.sentTo(source.address)[0]?.body.context).toEqual({ message_id: source.messageId })
})

test('when a stranger sends a text, then no note is said to wait', async () => {
  const source = newSource()
  await app.publish(unknown(source, false))
  const [text] = await app.texts(source.address)
  expect(text).toContain('https://voxscribe.test/signup')
  expect(text).not.toContain('7 days')
})

describe('when a sender has an account that ingestion had not heard of', () => {
  test.each([
    ['in the last minute', 0, 10_000],
    ['later than the message came', 1, -10_000],
    ['long ago, and the number counts for nothing there any more', 1, 3_600_000],
  ])('and claimed the number %s, then they are answered %i times', async (_when, times, agoMs) => {
    const account = newAccount()
    const source = newSource({ address: account.phone })
    const event = unknown(source)
    const phoneClaimedAt = new Date(Date.parse(event.occurredAt) - agoMs).toISOString()
    await app.register({ ...account, phoneClaimedAt })
    await app.publish(event)
    await app.quietly(source.address, times)
  })
})

test.each([
  ['writes', 'once an hour', false, [0, 0.9], 1.1],
  ['sends notes', 'once in ten minutes', true, [0, 0.15], 0.2],
])('when a stranger %s often, then the answer comes %s', async (_what, _often, isNote, hours, later) => {
  const source = newSource()
  const first = unknown(source, true, isNote)
  const atHour = async (hour: number) => {
    const _id = `stranger${isNote ? '-note' : ''}:${chatKey(source)}`
    const until = new Date(Date.now() + ((isNote ? 1 / 6 : 1) - hour) * 3_600_000)
    await app.stored('claims').updateOne({ _id }, { $set: { until } })
    await app.publish(unknown(source, true, isNote))
  }
  await app.publish(first)
  await app.texts(source.address)
  for (const hour of hours) await atHour(hour)
  await app.publish(first)
  await app.quietly(source.address, 1)
  await atHour(later)
  await app.texts(source.address, 2)
})

test('when a stranger sends a note and then writes, then they are invited once', async () => {
  const source = newSource()
  await app.publish(unknown(source, true, true))
  await app.texts(source.address)
  await app.publish(unknown(source, true, false))
  await app.quietly(source.address, 1)
})

test('when a stranger writes and then sends a note, then they hear that the note waits', async () => {
  const source = newSource()
  await app.publish(unknown(source, false, false))
  await app.texts(source.address)
  await app.publish(unknown(source, true, true))
  expect((await app.texts(source.address, 2))[1]).toContain('7 days')
})

test('when a number comes with another user id just after it was claimed, then its person is asked for the code', async () => {
  const account = newAccount()
  const source = newSource({ address: account.phone })
  const event = SenderUnknown.create({ isNote: false, noteWaits: false, isRival: true, source })
  await app.register({ ...account, phoneClaimedAt: event.occurredAt })
  await app.publish(event)
  expect((await app.texts(source.address))[0]).toContain('link code')
})

test('when a stranger hides the number, then none is filled in', async () => {
  const source = newSource({ address: 'US.1349' })
  await app.publish(unknown(source))
  expect((await app.texts(source.address))[0]).toContain('https://voxscribe.test/signup (')
})

test.each([
  ['a number of Brazil', '5511912345678', 'pt'],
  ['a user id of Germany', 'DE.1349', 'de'],
  ['a number of Egypt', '201001234567', 'ar'],
  ['a number of Japan', '819012345678', 'en'],
])(
  'when a stranger has %s, then the answer is in the language of that country, and in English',
  (_what, address, language) => {
    expect(i18nOfStranger({ address }).locale.slice(0, 2)).toBe(language)
    const offer = { freeMinutes: 30, plans: true }
    const about = { noteWaits: true, address, signupUrl: 'https://vox.example/signup', offer }
    const said = strangerText(i18nOfStranger({ address }), about)
    const inEnglish = strangerText(english, about)
    expect(said.endsWith(inEnglish)).toBe(true)
    expect(said.split(inEnglish)).toHaveLength(2)
  },
)

test('when words are not understood, then a hint says what this is and what is left, and within the hour a shorter one with three buttons', async () => {
  const source = newSource()
  const first = told(source, 'hint')
  for (const event of [first, first, told(source, 'hint')]) await app.publish(event)
  const [text] = await app.texts(source.address)
  expect(text).toMatch(/automated.*voice note.*29\.8 minutes left.*help/)
  const { buttons } = app.sentTo(source.address)[0]?.body.interactive.action ?? {}
  expect(buttons.map(({ reply }: { reply: object }) => reply)).toEqual([
    { id: 'help', title: 'Help' },
    { id: 'minutes', title: 'Minutes left' },
  ])
  expect((await app.texts(source.address, 2))[1]).toBe('I didn’t understand that. Is it one of these?')
  const again = app.sentTo(source.address)[1]?.body.interactive.action.buttons
  expect(again.map(({ reply }: { reply: { id: string } }) => reply.id)).toEqual(['help', 'minutes', 'latest'])
  await app.quietly(source.address, 2)
})

test.each<[ChatCommand, RegExp]>([
  ['plan', /^You can cancel your plan on this page.*https:.*subscription-details$/],
  ['help', /find.*language.*29\.8 minutes left until December 20, 2026/s],
  ['minutes', /^You have 29\.8 minutes left until December 20, 2026\. More minutes: https.*pricing$/],
])('when the command %s comes twice within the hour, then each is answered once', async (command, text) => {
  const source = newSource()
  const [first, second] = [told(source, command), told(source, command)]
  for (const event of [told(source, 'hint'), first, first, second]) await app.publish(event)
  const texts = await app.texts(source.address, 3)
  expect(texts.filter(said => text.test(said))).toHaveLength(2)
  await app.quietly(source.address, 3)
})

test('when pictures come, then one answer in ten minutes says what can be sent', async () => {
  const source = newSource()
  const refused = () => MessageRefused.create({ reason: { code: 'nothing_to_hear' }, source })
  for (const event of [refused(), refused()]) await app.publish(event)
  expect((await app.texts(source.address))[0]).toMatch(/send a voice note.*OGG/)
  await app.quietly(source.address, 1)
})

test('when a blocked account writes, then its chat hears so once a day', async () => {
  const source = newSource()
  const facts = { support: 'help@voxscribe.test' }
  const refused = () => MessageRefused.create({ reason: { code: 'account_blocked', facts }, source })
  for (const event of [refused(), refused()]) await app.publish(event)
  expect((await app.texts(source.address))[0]).toMatch(/blocked.*help@voxscribe\.test/)
  await app.quietly(source.address, 1)
})

test('when the first answer could not be sent, then it is still tried again', async () => {
  const source = newSource()
  app.trouble(graphError(131_000, 500))
  await app.publish(unknown(source))
  await app.texts(source.address, 2)
  await app.quietly(source.address, 2)
})

test('when a sender is linked, then the chat says to whom, once', async () => {
  const source = newSource()
  const account = { ...newAccount(), firstName: 'Grace', email: 'grace@example.com' }
  await app.register(account)
  const event = SenderLinked.create({
    userId: account.userId,
    phone: source.address,
    whatsappUserId: null,
    source,
  })
  await app.publish(event)
  await app.publish(event)
  expect(await app.texts(source.address)).toEqual([expect.stringContaining('linked to Grace’s account')])
  await app.quietly(source.address, 1)
})

test('when the account is not known yet, then the chat says it without a name', async () => {
  const source = newSource()
  await app.publish(
    SenderLinked.create({ userId: 'unheard-of', phone: null, whatsappUserId: 'US.1', source }),
  )
  expect(await app.texts(source.address)).toEqual([expect.stringContaining('linked to your account')])
})

test('when a link is refused, then the chat says why, once', async () => {
  const source = newSource()
  const reason = { code: 'link_code_unknown' }
  const event = MessageRefused.create({ reason, source })
  await app.publish(event)
  await app.publish(event)
  expect(await app.texts(source.address)).toEqual([
    expect.stringMatching(/^We do not know this link code\..*https:\/\/voxscribe\.test\/dashboard$/),
  ])
  await app.quietly(source.address, 1)
})

test('when a number is disowned, then chat and account are informed once', async () => {
  const [source, account] = [newSource(), await app.register()]
  const event = NumberDisowned.create({ userId: account.userId, phone: source.address, source })
  await app.publish(event)
  await app.publish(event)
  expect(await app.texts(source.address)).toEqual([expect.stringContaining('removed from that account')])
  const mail = await app.mail(account.email, 2)
  expect(mail.subject).toBe('Your WhatsApp number was removed from your account')
  expect(mail.text).toContain(readNumber(`+${source.address}`).written)
  await app.quietly(source.address, 1)
})

test.each(['invited', 'closed'])(
  'when SIGN_UP is %s, then strangers hear that the number is for people with an account',
  async rule => {
    const other = await startNotification({ SIGN_UP: rule })
    try {
      const [source, left] = [newSource(), newSource()]
      await other.publish(unknown(source))
      const [text] = await other.texts(source.address)
      expect(text).toMatch(/7 days.*\nThis number is for people with an account\..*link code/)
      const { userId } = await other.register()
      await other.publish(NumberDisowned.create({ userId, phone: left.address, source: left }))
      const [said] = await other.texts(left.address)
      expect(said).toMatch(/7 days\. If you have an account, send me your link code/)
      for (const each of [text, said]) expect(each).not.toMatch(/sign ?up/i)
    } finally {
      await other.stop()
    }
  },
)
