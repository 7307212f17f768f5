import { eventually } from '@voxscribe/service/testing'
import {
  type From,
  infoPath,
  ingestionForAll,
  mediaIdFor,
  newPhone,
  textMessage,
  twilioText,
  unique,
  voiceNote,
} from '../testing.ts'

const app = ingestionForAll()

const noteFrom = (from: From, more: object = {}) => app.noteFrom(from, more)
const newName = () => unique('US.1349')
const newUser = () => unique('user-')
/** Sends a note and returns its account. */
async function ownerOf(from: From) {
  const note = noteFrom(from)
  expect((await app.say(note)).status).toBe(200)
  return (await app.received(note.mediaId)).userId
}
async function expectUnknown(from: From) {
  const note = noteFrom(from)
  await app.say(note)
  await app.unknown(note.id)
  expect(app.announced(note.mediaId)).toBe(0)
}

describe('a known sender', () => {
  test('when a note comes from a registered number, then it needs no link code', async () => {
    const { userId, phone } = await app.account()
    const note = noteFrom({ from: phone })
    await app.say(note)
    expect(await app.received(note.mediaId)).toMatchObject({
      userId,
      language: 'de',
      mime: 'audio/wav',
      fileName: 'Voice note 2025-02-12 00.43.ogg',
      source: { channel: 'whatsapp', address: phone, messageId: note.id },
    })
  })

  test.each([
    ['Mexico', '525512345678', '5215512345678'],
    ['Mexico, the other way', '5215512345679', '525512345679'],
    ['Ivory Coast', '2250707181399', '22507181399'],
    ['Benin', '2290190123456', '22990123456'],
    ['Brazil', '5511987654321', '551187654321'],
    ['Brazil, the other way', '551187654322', '5511987654322'],
  ])(
    'when the number is written as WhatsApp does in %s, then it is the same',
    async (_where, phone, from) => {
      const { userId } = await app.account(phone)
      expect(await ownerOf({ from })).toBe(userId)
    },
  )

  test('when the number is hidden later, then the user id seen with it is known', async () => {
    const [{ userId, phone }, name] = [await app.account(), newName()]
    await expectUnknown({ from_user_id: name })
    expect(await ownerOf({ from: phone, from_user_id: name })).toBe(userId)
    expect(await ownerOf({ from_user_id: name })).toBe(userId)
    // When the claim of the number ends, so does the user id's binding.
    await app.change(userId, newPhone(), 1)
    await expectUnknown({ from_user_id: name })
  })

  test('when a known sender writes a text, then it is a command, once; thanks only open the chat', async () => {
    const { userId, phone } = await app.account()
    const [hello, minutes] = [textMessage({ from: phone }, 'Hello?'), textMessage({ from: phone }, 'MINUTOS')]
    await app.say(hello, minutes, hello)
    await app.say(minutes)
    const source = (messageId: string) => ({ channel: 'whatsapp', address: phone, messageId })
    expect((await app.commanded(hello.id)).data).toEqual({
      userId,
      command: 'hint',
      source: source(hello.id),
    })
    expect((await app.commanded(minutes.id)).data).toMatchObject({ userId, command: 'minutes' })
    const thanks = textMessage({ from: phone }, 'Thanks!')
    expect((await app.say(thanks, thanks)).status).toBe(200)
    const opened = () => app.others.sent('ChatOpened').filter(({ data }) => data.userId === userId)
    await eventually(() => opened().length)
    expect(opened().map(({ data }) => data.source)).toEqual([source(thanks.id)])
    const commands = app.others.sent('ChatCommandReceived').filter(({ data }) => data.userId === userId)
    expect(commands).toHaveLength(2)
  })
})

describe('the next person who has a number', () => {
  /** An account proved by a number and a user id; the number then comes with another user id. */
  async function handedOn() {
    const [account, name, next] = [await app.account(), newName(), newName()]
    const code = textMessage({ from: account.phone, from_user_id: name }, account.code)
    await app.say(code)
    await app.linked(code.id)
    const [own, stranger] = [
      { from: account.phone, from_user_id: name },
      { from: account.phone, from_user_id: next },
    ]
    return { ...account, own, stranger }
  }

  test('when they send a note or a command, then they are strangers and are asked for the code', async () => {
    const { userId, own, stranger } = await handedOn()
    expect(await ownerOf(own)).toBe(userId)
    await expectUnknown(stranger)
    for (const words of ['minutes', 'find money', 'delete', 'share', 'srt']) {
      const text = textMessage(stranger, words)
      await app.say(text)
      expect((await app.unknown(text.id)).data.isNote).toBe(false)
    }
    expect(app.others.sent('NoteCommandReceived').some(({ data }) => data.userId === userId)).toBe(false)
    // None of the stranger's keys are bound: their user id alone is unknown as well.
    await expectUnknown({ from_user_id: stranger.from_user_id })
    expect(await ownerOf(own)).toBe(userId)
  })

  test('when the number is only claimed, then another user id than the first one is a stranger’s', async () => {
    const [{ userId, phone }, name] = [await app.account(), newName()]
    expect(await ownerOf({ from: phone, from_user_id: name })).toBe(userId)
    await expectUnknown({ from: phone, from_user_id: newName() })
    const text = textMessage({ from: phone, from_user_id: newName() }, 'Hi')
    await app.say(text)
    expect((await app.unknown(text.id)).data).toMatchObject({ isNote: false, isRival: true })
    expect(await ownerOf({ from: phone, from_user_id: name })).toBe(userId)
  })

  test('when they send a code of their own, then the number and its waiting notes are theirs', async () => {
    const [{ stranger, own, userId }, next] = [await handedOn(), await app.account()]
    const waiting = noteFrom(stranger)
    await app.say(waiting)
    await app.unknown(waiting.id)
    const text = textMessage(stranger, next.code)
    await app.say(text)
    await app.linked(text.id)
    expect((await app.received(waiting.mediaId)).userId).toBe(next.userId)
    expect(await ownerOf(stranger)).toBe(next.userId)
    expect(await ownerOf({ from_user_id: own.from_user_id })).toBe(userId)
  })

  test('when WhatsApp says that the number changed, then it is nobody’s, in either spelling of the news', async () => {
    for (const system of [
      { type: 'user_changed_number', wa_id: '16505550999', body: 'Ada changed' },
      { type: 'user_changed_number', new_wa_id: '16505550999' },
      { type: 'customer_changed_number', new_wa_id: '16505550999' },
      { type: 'user_changed_number' },
    ]) {
      const { userId, phone, own } = await handedOn()
      await app.say({ from: phone, id: unique('wamid.'), timestamp: '1739321024', type: 'system', system })
      await expectUnknown(own)
      await expectUnknown({ from_user_id: own.from_user_id })
      await expectUnknown({ from: phone })
      const told = await eventually(() =>
        app.others.sent('NumberChanged').find(({ data }) => data.userId === userId),
      )
      const newPhone = system.wa_id ?? system.new_wa_id ?? null
      expect(told.data).toEqual({ userId, phone, newPhone })
    }
  })

  test('when it is only another spelling, or another system message, then the number stays', async () => {
    const { userId, phone } = await app.account('5215512345600')
    const system = (more: object) => ({ from: phone, id: unique('wamid.'), type: 'system', system: more })
    await app.say(system({ type: 'user_changed_number', wa_id: '525512345600' }))
    await app.say(system({ type: 'customer_identity_changed', wa_id: phone }))
    expect(await ownerOf({ from: phone })).toBe(userId)
  })
})

describe('a code that is used', () => {
  test('when another phone sends it, then the account is told to have been linked elsewhere', async () => {
    const [{ userId, code }, other] = [await app.account(), { from: newPhone(), from_user_id: newName() }]
    const own = { from: newPhone(), from_user_id: newName() }
    const texts = [own, { from: own.from }, other].map(from => textMessage(from, code))
    for (const text of texts) await app.say(text)
    const events = await Promise.all(texts.map(({ id }) => app.linked(id)))
    expect(events.map(({ data }) => [data.usedCode, data.replaces])).toEqual([
      [code, undefined],
      [undefined, undefined],
      [code, true],
    ])
    expect(await ownerOf(other)).toBe(userId)
    // Auth undoes the link.
    await app.change(userId, null, 1, 'VX-77777777', undefined, code, { undoneCodes: [code] })
    await expectUnknown(other)
  })

  test('when the account has a new code, then its senders stay, until its number changes', async () => {
    const [{ userId, phone, code }, from_user_id] = [await app.account(), newName()]
    const text = textMessage({ from_user_id }, code)
    await app.say(text)
    await app.linked(text.id)
    await app.change(userId, phone, 1, 'VX-88888888', undefined, code)
    expect(await ownerOf({ from_user_id })).toBe(userId)
    await app.change(userId, phone, 2, 'VX-99999999', undefined, 'VX-99999999')
    await expectUnknown({ from_user_id })
  })
})

describe('a group', () => {
  test('when a member sends a note, then it is theirs; texts, codes and bystanders get nothing', async () => {
    const [{ userId, phone, code }, stranger] = [await app.account(), newPhone()]
    const group_id = 'group-1'
    const inGroup = (message: object) => ({ ...message, group_id })
    const [note, bystanders] = [noteFrom({ from: phone }), noteFrom({ from: stranger })]
    const texts = [
      textMessage({ from: phone }, 'minutes'),
      textMessage({ from: stranger }, code),
      textMessage({ from: stranger }, 'Hello?'),
    ]
    await app.say(inGroup(bystanders), ...texts.map(inGroup), inGroup(note))
    expect(await app.received(note.mediaId)).toMatchObject({ userId, source: { address: phone } })
    for (const { id } of [bystanders, ...texts]) expect(await app.receipt(id)).toBeNull()
    await expectUnknown({ from: stranger })
  })
})

describe('a revoked message', () => {
  const revokeOf = (from: From, original_message_id: string) => ({
    ...from,
    id: unique('wamid.'),
    timestamp: '1739321024',
    type: 'revoke',
    revoke: { original_message_id },
  })
  const revoked = (mediaId: string) =>
    eventually(() => app.others.sent('NoteRevoked').find(({ data }) => data.mediaId === mediaId))

  test('when it is a note of a known sender, then its note is to go, but not for a stranger', async () => {
    const { userId, phone } = await app.account()
    const notes = [noteFrom({ from: phone }), noteFrom({ from: phone })]
    await app.say(...notes)
    await app.say(revokeOf({ from: newPhone() }, notes[0]!.id), revokeOf({ from: phone }, notes[1]!.id))
    expect((await revoked(notes[1]!.mediaId)).data).toEqual({ mediaId: notes[1]!.mediaId, userId })
    expect(app.others.sent('NoteRevoked').some(({ data }) => data.mediaId === notes[0]!.mediaId)).toBe(false)
  })

  test('when its file is still to be fetched, then it is not', async () => {
    const { phone } = await app.account()
    const note = voiceNote({ from: phone })
    const slow = app.offerSlowly(note.audio.id)
    await app.say(note)
    await slow.begun()
    await app.say(revokeOf({ from: phone }, note.id))
    const mediaId = mediaIdFor(note.id)
    await eventually(async () => (await app.mediaRecord(mediaId))?.status === 'deleted')
    slow.end()
    await revoked(mediaId)
    expect(app.others.sent('MediaReceived').some(({ data }) => data.mediaId === mediaId)).toBe(false)
  })

  test('when it waits for its sender to be linked, or comes after the news, then it never becomes a note', async () => {
    const [{ code }, from] = [await app.account(), newPhone()]
    const [waiting, late] = [noteFrom({ from }), noteFrom({ from })]
    await app.say(waiting)
    await app.say(revokeOf({ from }, waiting.id), revokeOf({ from }, late.id), late)
    const link = textMessage({ from }, code)
    await app.say(link)
    await app.linked(link.id)
    const next = noteFrom({ from })
    await app.say(next)
    await app.received(next.mediaId)
    for (const { mediaId } of [waiting, late]) expect(app.announced(mediaId)).toBe(0)
  })
})

describe('a command about notes', () => {
  const commandsOf = (phone: string) =>
    app.others.sent('NoteCommandReceived').filter(({ data }) => data.source.address === phone)

  test('when it comes twice, then it is one, about the message that it quotes', async () => {
    const { userId, phone, code } = await app.account()
    await app.say(textMessage({ from: phone }, code))
    const quoting = { ...textMessage({ from: phone }, 'es'), context: { from: '1', id: 'wamid.Q' } }
    await app.say(quoting, quoting)
    await app.say(quoting)
    await eventually(() => commandsOf(phone).length > 0)
    expect(commandsOf(phone).map(({ data }) => data)).toEqual([
      {
        userId,
        command: { name: 'again', language: 'es' },
        uiLanguage: 'en',
        quoted: 'wamid.Q',
        source: { channel: 'whatsapp', address: phone, messageId: quoting.id },
      },
    ])
  })

  test('when a reply is no command, or only YES, then it is asked what is meant, also by Twilio', async () => {
    const { phone, code } = await app.account()
    await app.say(textMessage({ from: phone }, code))
    const context = { from: '1', id: 'wamid.Q' }
    const said = ['so cool, see you there', 'Sí', 'please don’t delete it', 'bahasa Inggris', 'he']
    for (const text of said) await app.say({ ...textMessage({ from: phone }, text), context })
    await app.sayByTwilio({ ...twilioText(phone, 'Ja'), OriginalRepliedMessageSid: 'SM9' })
    const thanks = { ...textMessage({ from: phone }, 'Danke!'), context }
    await app.say(thanks)
    await eventually(() => commandsOf(phone).length === 6)
    expect(commandsOf(phone).map(({ data }) => data.command)).toEqual([
      { name: 'offer' },
      { name: 'choose' },
      { name: 'offer' },
      { name: 'again', language: 'en' },
      { name: 'offer' },
      { name: 'choose' },
    ])
  })

  test('when a note came before, then the command names it, also while it is on its way', async () => {
    const [one, other] = [await app.account(), await app.account()]
    const notes = [noteFrom({ from: one.phone }), noteFrom({ from: one.phone })]
    for (const note of notes) await app.say(note)
    const noteOf = async (from: string, quoted?: string) => {
      const context = quoted ? { context: { id: quoted } } : {}
      const message = { ...textMessage({ from }, 'delete'), ...context }
      await app.say(message)
      return eventually(() => commandsOf(from).find(({ data }) => data.source.messageId === message.id)?.data)
    }
    expect(await noteOf(one.phone)).toMatchObject({ noteId: notes[1]!.mediaId })
    expect(await noteOf(one.phone, notes[0]!.id)).toMatchObject({ noteId: notes[0]!.mediaId })
    expect((await noteOf(other.phone, notes[0]!.id)).noteId).toBeUndefined()
    expect((await noteOf(other.phone)).noteId).toBeUndefined()
    expect((await noteOf(one.phone, 'wamid.answer')).noteId).toBeUndefined()
  })

  test('when the number is only claimed, then the command says so, also by Twilio', async () => {
    const { phone } = await app.account()
    await app.say(textMessage({ from: phone }, 'delete'))
    const form = { ...twilioText(phone, 'srt'), OriginalRepliedMessageSid: 'SM9' }
    await app.sayByTwilio(form)
    await eventually(() => commandsOf(phone).length === 2)
    expect(commandsOf(phone).map(({ data: { quoted, source } }) => [quoted, source.claimed])).toEqual([
      [undefined, true],
      ['SM9', true],
    ])
  })
})

test('when a text was forwarded by Twilio, then it orders nothing; of a quote it says whose it is', async () => {
  const { phone } = await app.account()
  const forwarded = { ...twilioText(phone, 'delete'), Forwarded: 'true' }
  const reply = { OriginalRepliedMessageSid: 'SM9', OriginalRepliedMessageSender: `whatsapp:+${phone}` }
  const quoting = { ...twilioText(phone, 'srt'), ...reply }
  for (const form of [forwarded, quoting]) await app.sayByTwilio(form)
  expect((await app.commanded(forwarded.MessageSid)).data.command).toBe('hint')
  const { data } = await eventually(() =>
    app.others.sent('NoteCommandReceived').find(({ data }) => data.source.messageId === quoting.MessageSid),
  )
  expect(data).toMatchObject({ quoted: 'SM9', quotesOwn: true })
})

describe('a choice of language', () => {
  test('when a proved sender makes it, then it is told once; a claimed one must prove the number first', async () => {
    const { userId, phone, code } = await app.account()
    const [tooSoon, chosen] = ['Language German', 'IDIOMA alemán'].map(text =>
      textMessage({ from: phone }, text),
    )
    await app.say(tooSoon!)
    expect((await app.refused(tooSoon!.id)).data.reason).toEqual({ code: 'not_proved' })
    await app.say(textMessage({ from: phone }, code))
    await app.say(chosen, chosen)
    const choices = () => app.others.sent('LanguageChosen').filter(({ data }) => data.userId === userId)
    await eventually(() => choices().length > 0)
    expect(choices().map(({ data }) => [data.uiLanguage, data.source.messageId])).toEqual([
      ['de', chosen!.id],
    ])
  })

  test('when it is one that we do not speak, then the answer says which there are', async () => {
    const { phone } = await app.account()
    for (const text of ['language klingon', 'language', 'Sprache: Polnisch']) {
      const message = textMessage({ from: phone }, text)
      await app.say(message)
      expect((await app.refused(message.id)).data.reason).toEqual({ code: 'language_unknown' })
    }
  })
})

describe('an unknown sender', () => {
  test('when a note comes, then it waits, nothing is downloaded, and the sender hears of it', async () => {
    const phone = newPhone()
    const note = noteFrom({ from: phone })
    await app.say(note)
    const { data } = await app.unknown(note.id)
    expect(data).toEqual({
      isNote: true,
      noteWaits: true,
      source: { channel: 'whatsapp', address: phone, messageId: note.id },
    })
    expect(app.sandbox.callsTo(infoPath(note.audio.id))).toEqual([])
    const { waitingUntil } = (await app.receipt(note.id))!
    expect((waitingUntil - Date.now()) / 86_400_000).toBeCloseTo(7, 1)
  })

  test('when a text comes, then noteWaits says whether a note waits', async () => {
    const phone = newPhone()
    const hello = textMessage({ from: phone }, 'Hello?')
    await app.say(hello)
    expect((await app.unknown(hello.id)).data).toMatchObject({ isNote: false, noteWaits: false })
    await app.say(noteFrom({ from: phone }))
    const again = textMessage({ from: phone }, 'Hello?')
    await app.say(again)
    expect((await app.unknown(again.id)).data).toMatchObject({ isNote: false, noteWaits: true })
  })

  test('when an account claims the number later, then the waiting notes still need the link code', async () => {
    const [userId, phone] = [newUser(), newPhone()]
    const note = noteFrom({ from: phone })
    await app.say(note)
    const code = await app.register(userId, phone)
    expect(await ownerOf({ from: phone })).toBe(userId)
    expect(app.announced(note.mediaId)).toBe(0)
    await app.say(textMessage({ from: phone }, code))
    expect((await app.received(note.mediaId)).userId).toBe(userId)
  })
})

describe('an event of a sign-up that comes late', () => {
  test('when a note precedes the event, then it is announced; one before sign-up waits', async () => {
    const [userId, phone] = [newUser(), newPhone()]
    const [before, after] = [noteFrom({ from: phone }), noteFrom({ from: phone })]
    await app.say(before)
    const signedUpAt = new Date(Date.now() + 1).toISOString()
    await eventually(() => new Date().toISOString() > signedUpAt)
    await app.say(after)
    await app.register(userId, phone, undefined, signedUpAt)
    expect((await app.received(after.mediaId)).userId).toBe(userId)
    expect(app.announced(before.mediaId)).toBe(0)
  })

  test('when the number is linked to another account by its code, then the note stays there', async () => {
    const [owner, claimer, phone] = [newUser(), newUser(), newPhone()]
    const signedUpAt = new Date().toISOString()
    await app.say(textMessage({ from: phone }, await app.register(owner, newPhone())))
    const note = noteFrom({ from: phone })
    await app.say(note)
    await app.register(claimer, phone, undefined, signedUpAt)
    expect((await app.received(note.mediaId)).userId).toBe(owner)
    expect(app.announced(note.mediaId)).toBe(1)
  })
})

describe('a link code', () => {
  test('when it is part of a text in any case, then it links the sender and releases its notes', async () => {
    const [{ userId, code }, from, from_user_id] = [await app.account(), newPhone(), newName()]
    const waiting = [noteFrom({ from }), noteFrom({ from_user_id }), noteFrom({ from, from_user_id })]
    await app.say(...waiting)
    const text = textMessage({ from, from_user_id }, `Hi! My code: ${code.toLowerCase()}, thanks`)
    await app.say(text)
    expect((await app.linked(text.id)).data).toEqual({
      userId,
      notes: 3,
      phone: from,
      whatsappUserId: from_user_id,
      usedCode: code,
      source: { channel: 'whatsapp', address: from, messageId: text.id },
    })
    for (const { mediaId } of waiting) {
      expect((await app.received(mediaId)).userId).toBe(userId)
      expect(app.announced(mediaId)).toBe(1)
    }
    for (const sender of [{ from }, { from_user_id }]) expect(await ownerOf(sender)).toBe(userId)
  })

  test('when it was used, then the next one keeps the sender, the old one is unknown, and a known sender uses up none', async () => {
    const [{ userId, code, phone, claimedAt }, from] = [await app.account(), newPhone()]
    await app.say(textMessage({ from }, code))
    await app.change(userId, phone, 1, 'VX-NEXTCQDE', claimedAt.toISOString(), code)
    expect(await ownerOf({ from })).toBe(userId)
    const old = textMessage({ from: newPhone() }, code)
    await app.say(old)
    expect((await app.refused(old.id)).data.reason).toEqual({ code: 'link_code_unknown' })
    const again = textMessage({ from }, 'VX-NEXTCQDE')
    await app.say(again)
    expect((await app.linked(again.id)).data.usedCode).toBeUndefined()
  })

  test('when it comes from a hidden number, then the user id alone is linked', async () => {
    const [{ userId, code }, from_user_id] = [await app.account(), newName()]
    const text = textMessage({ from_user_id }, code)
    await app.say(text)
    expect((await app.linked(text.id)).data).toMatchObject({ phone: null, whatsappUserId: from_user_id })
    expect(await ownerOf({ from_user_id })).toBe(userId)
    // The number appears later, and belongs to the same person.
    const phone = newPhone()
    expect(await ownerOf({ from: phone, from_user_id })).toBe(userId)
    expect(await ownerOf({ from: phone })).toBe(userId)
  })

  test.each([
    ['a note', (from: From) => noteFrom(from)],
    ['a text', (from: From) => textMessage(from, 'Thanks!')],
  ])(
    'when a note of a user id waits, and %s proves it, then the note is announced',
    async (_what, message) => {
      const [{ userId, code }, from, from_user_id] = [await app.account(), newPhone(), newName()]
      const link = textMessage({ from }, code)
      await app.say(link)
      await app.linked(link.id)
      const waiting = noteFrom({ from_user_id })
      await app.say(waiting)
      await app.unknown(waiting.id)
      await app.say(message({ from, from_user_id }))
      expect((await app.received(waiting.mediaId)).userId).toBe(userId)
    },
  )

  test('when it is in the caption of a note, then the sender is linked and the note announced', async () => {
    const [{ userId, code }, from] = [await app.account(), newPhone()]
    const note = noteFrom({ from }, { caption: `code ${code}` })
    await app.say(note)
    await app.linked(note.id)
    expect((await app.received(note.mediaId)).userId).toBe(userId)
  })

  test('when another account has proved the number, then the code is refused and the number stays', async () => {
    const [owner, other, phone] = [newUser(), newUser(), newPhone()]
    await app.say(textMessage({ from: phone }, await app.register(owner, phone)))
    const text = textMessage({ from: phone }, await app.register(other, newPhone()))
    await app.say(text)
    expect((await app.refused(text.id)).data).toMatchObject({
      reason: { code: 'sender_taken' },
      source: { address: phone },
    })
    expect(await ownerOf({ from: phone })).toBe(owner)
  })

  test.each(['VX-', 'vx-123', 'My code: VX-ABCDEFG1.', 'VX-ABCDEFGHJ', 'VX-كود'])(
    'when it is “%s”, which is no code, then a known and an unknown sender hear that',
    async wrong => {
      const { phone } = await app.account()
      const texts = [textMessage({ from: phone }, wrong), textMessage({ from: newPhone() }, wrong)]
      await app.say(...texts)
      for (const { id } of texts)
        expect((await app.refused(id)).data.reason).toEqual({ code: 'link_code_unknown' })
    },
  )

  test.each(['I drive a VX-220', 'VX standard or not?'])(
    'when a known sender writes “%s”, then it is no code',
    async text => {
      const { phone } = await app.account()
      const message = textMessage({ from: phone }, text)
      await app.say(message)
      expect((await app.commanded(message.id)).data.command).toBe('hint')
    },
  )

  test('when no account has it, then only the code is refused: a note with it waits, or is announced', async () => {
    const { userId, phone: from } = await app.account()
    const text = textMessage({ from: newPhone() }, 'VX-ZZZZZZZZ')
    const waiting = voiceNote({ from: newPhone() }, { caption: 'VX-ZZZZZZZZ' })
    const known = noteFrom({ from }, { caption: 'VX-ZZZZZZZZ' })
    await app.say(text, waiting, known)
    for (const { id } of [text, waiting, known])
      expect((await app.refused(id)).data.reason).toEqual({ code: 'link_code_unknown' })
    expect((await app.receipt(waiting.id))?.waitingUntil).toBeInstanceOf(Date)
    expect((await app.received(known.mediaId)).userId).toBe(userId)
    expect(app.others.sent('SenderUnknown').some(({ data }) => data.source.messageId === text.id)).toBe(false)
  })

  test('when a note has waited longer than 7 days, then a link does not release it', async () => {
    const [userId, phone] = [newUser(), newPhone()]
    const [old, young] = [noteFrom({ from: phone }), noteFrom({ from: phone })]
    await app.say(old, young)
    const waitingUntil = new Date(Date.now() - 1000)
    await app.stored('receipts').updateOne({ _id: `whatsapp:${old.id}` }, { $set: { waitingUntil } })
    await app.say(textMessage({ from: phone }, await app.register(userId, newPhone())))
    await app.received(young.mediaId)
    expect(app.announced(old.mediaId)).toBe(0)
  })
})

describe('events of an account', () => {
  test('when the number is changed or removed, then the old one is unknown', async () => {
    const [{ userId, phone: before }, after] = [await app.account(), newPhone()]
    await app.change(userId, after, 1)
    expect(await ownerOf({ from: after })).toBe(userId)
    await expectUnknown({ from: before })
    await app.change(userId, null, 2)
    await expectUnknown({ from: after })
  })
})
