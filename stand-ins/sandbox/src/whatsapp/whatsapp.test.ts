import { createHash, createHmac } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { eventually } from '@voxscribe/service/testing'
import { type Both, startBoth, whatsapp } from '../testing/running.ts'

let both: Both
beforeEach(async () => {
  both = await startBoth({ whatsapp })
})
afterEach(() => both.stop())

const graph = (path: string, init: RequestInit = {}, token = whatsapp.accessToken) =>
  fetch(`${both.sandbox.graphUrl}/v26.0/${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  })
const graphPost = (path: string, body: unknown) =>
  graph(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  })
const messages = `${whatsapp.phoneNumberId}/messages`
const text = (to: string, body: string, more = {}) => ({
  messaging_product: 'whatsapp',
  to,
  type: 'text',
  text: { body },
  ...more,
})
function file(bytes: BlobPart, name: string, type: string, fields: Record<string, string> = {}) {
  const form = new FormData()
  for (const [field, value] of Object.entries({ from: '+1 555 000 1111', ...fields })) form.set(field, value)
  form.set('file', new Blob([bytes], { type }), name)
  return form
}
const values = () => both.product.received.map(({ body }) => JSON.parse(body).entry[0].changes[0].value)
const incoming = () => values().flatMap(value => value.messages ?? [])
const statuses = () => values().flatMap(value => value.statuses ?? [])

async function writes(body: object = { from: '15550001111', text: 'Hi' }) {
  const sent = await both.call('POST', '/api/whatsapp/messages', body)
  expect(sent.status).toBe(201)
  return sent.body
}

describe('a person writes', () => {
  test('when a text is sent, then a webhook comes, signed over its bytes', async () => {
    const sent = await writes({ from: '+1 555-000-1111', name: 'Ann', text: 'Grüße' })
    const webhook = await eventually(() => both.product.received[0])
    const mac = createHmac('sha256', whatsapp.appSecret).update(webhook.body).digest('hex')
    expect(webhook.path).toBe('/webhooks/whatsapp')
    expect(webhook.headers['x-hub-signature-256']).toBe(`sha256=${mac}`)
    expect(values()[0]).toMatchObject({
      metadata: { display_phone_number: whatsapp.number, phone_number_id: whatsapp.phoneNumberId },
      contacts: [
        { profile: { name: 'Ann' }, wa_id: '15550001111', user_id: expect.stringMatching(/^US\.\d{20}$/) },
      ],
      messages: [{ from: '15550001111', id: sent.id, type: 'text', text: { body: 'Grüße' } }],
    })
    expect(incoming()[0].timestamp).toMatch(/^\d{10}$/)
  })

  test('when the number is hidden, then only the user id is given, the same as before', async () => {
    await writes()
    await writes({ from: '15550001111', text: 'again', hideNumber: true })
    await eventually(() => incoming().length === 2)
    const open = incoming().find(message => message.text.body === 'Hi')
    const hidden = incoming().find(message => message.text.body === 'again')
    expect(hidden).not.toHaveProperty('from')
    expect(hidden.from_user_id).toBe(open.from_user_id)
    expect(values().find(value => !value.messages[0].from).contacts[0]).not.toHaveProperty('wa_id')
  })

  test('when a voice note is sent, then it comes as ogg opus with a media id', async () => {
    await writes(file('OggS…', 'note.ogg', 'audio/ogg', { voice: 'true' }))
    const message = await eventually(() => incoming()[0])
    expect(message).toMatchObject({
      type: 'audio',
      audio: { mime_type: 'audio/ogg; codecs=opus', voice: true },
    })
    expect(message.audio.sha256).toBe(createHash('sha256').update('OggS…').digest('base64'))
  })

  test('when WhatsApp does not know the type or it is too large, then it comes as a document', async () => {
    await writes(file('RIFF', 'talk.wav', 'audio/wav'))
    await writes(file(new Uint8Array(17 * 1024 * 1024), 'long.mp3', 'audio/mpeg'))
    await eventually(() => incoming().length === 2)
    expect(incoming().map(({ type }) => type)).toEqual(['document', 'document'])
    expect(
      incoming()
        .map(({ document }) => document.filename)
        .sort(),
    ).toEqual(['long.mp3', 'talk.wav'])
  })

  test('when repeat is 3, then the same message id comes three times', async () => {
    const { id } = await writes({ from: '15550001111', text: 'thrice', repeat: 3 })
    await eventually(() => incoming().length === 3)
    expect(new Set(incoming().map(message => message.id))).toEqual(new Set([id]))
  })

  test.each([
    ['from', { from: '0123', text: 'x' }],
    ['from', { from: 'abc', text: 'x' }],
    ['from', { text: 'x' }],
    ['text', { from: '15550001111' }],
    ['text', { from: '15550001111', text: ' ' }],
    ['text', { from: '15550001111', text: 'x'.repeat(4097) }],
    ['from', { from: { $gt: '' }, text: 'x' }],
    ['file', file(new Uint8Array(17 * 1024 * 1024), 'long.mp3', 'audio/mpeg', { kind: 'audio' })],
  ])('when the %s is wrong, then it is refused', async (field, body) => {
    const status = field === 'file' ? 413 : 400
    expect(await both.call('POST', '/api/whatsapp/messages', body)).toMatchObject({ status, body: { field } })
  })
})

describe('the business reads media', () => {
  const sendAudio = async () => {
    await writes(file('bytes of a note', 'note.mp3', 'audio/mpeg'))
    return (await eventually(() => incoming()[0])).audio.id as string
  }

  test('when the id is asked, then an address is given that needs the token', async () => {
    const answer = await graph(await sendAudio())
    const described = await answer.json()
    expect(described).toMatchObject({
      messaging_product: 'whatsapp',
      mime_type: 'audio/mpeg',
      file_size: 15,
      sha256: createHash('sha256').update('bytes of a note').digest('hex'),
    })
    expect((await fetch(described.url)).status).toBe(401)
    const bytes = await fetch(described.url, { headers: { authorization: `Bearer ${whatsapp.accessToken}` } })
    expect(await bytes.text()).toBe('bytes of a note')
  })

  test('when the address is not one that was given, then 404', async () => {
    const answer = await fetch(`${both.sandbox.graphUrl}/whatsapp-media/nothing`, {
      headers: { authorization: `Bearer ${whatsapp.accessToken}` },
    })
    expect(answer.status).toBe(404)
  })
})

describe('the business writes', () => {
  test('when it answers with a quote, then it stands in the chat and the statuses come back', async () => {
    const note = await writes()
    const answer = await graphPost(
      messages,
      text('15550001111', 'Words', { context: { message_id: note.id } }),
    )
    const {
      contacts,
      messages: [{ id }],
    } = await answer.json()
    expect(contacts).toEqual([{ input: '15550001111', wa_id: '15550001111' }])
    await eventually(() => statuses().length === 2)
    await both.call('POST', '/api/whatsapp/chats/15550001111/read')
    await eventually(() => statuses().length === 3)
    expect(
      statuses()
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['delivered', 'read', 'sent'])
    expect(statuses().every(status => status.id === id)).toBe(true)
    const { body } = await both.call('GET', '/api/whatsapp/chats/15550001111')
    expect(body.messages[1]).toMatchObject({
      id,
      direction: 'in',
      text: 'Words',
      status: 'read',
      quoted: { id: note.id },
    })
  })

  test.each(['note.mp3', 'talk.wav'])(
    'when its data lie in .data below the working directory, then %s can be played or opened',
    async name => {
      const dataDir = join(relative(process.cwd(), await mkdtemp(join(tmpdir(), 'sandbox-'))), '.data')
      const start = await startBoth({ whatsapp, dataDir })
      try {
        const sent = await start.call('POST', '/api/whatsapp/messages', file('a note', name, 'audio/x'))
        const range = { headers: { range: 'bytes=2-' } }
        const answer = await fetch(start.sandbox.url + sent.body.file.url, range)
        expect([answer.status, await answer.text()]).toEqual([206, 'note'])
      } finally {
        await start.stop()
        await rm(dataDir, { recursive: true })
      }
    },
  )

  test('when it offers buttons, then they stand in the chat, and pressing one is a reply', async () => {
    await writes()
    const reply = (id: string) => ({ type: 'reply', reply: { id, title: id.slice(0, 20) } })
    const buttons = (...ids: string[]) => ({
      ...text('15550001111', ''),
      type: 'interactive',
      interactive: { type: 'button', body: { text: 'Well?' }, action: { buttons: ids.map(reply) } },
    })
    for (const wrong of [[], ['a', 'a'], ['a', 'b', 'c', 'd'], [' a']]) {
      expect((await graphPost(messages, buttons(...wrong))).status).toBe(400)
    }
    const { messages: sent } = await (await graphPost(messages, buttons('es', 'pt'))).json()
    const press = { from: '15550001111', replyTo: sent[0].id, button: 'pt' }
    await writes(press)
    const pressed = await eventually(() => incoming().find(({ type }) => type === 'interactive'))
    expect(pressed).toMatchObject({
      context: { id: sent[0].id },
      interactive: { type: 'button_reply', button_reply: { id: 'pt', title: 'pt' } },
    })
    expect((await both.call('POST', '/api/whatsapp/messages', { ...press, button: 'x' })).status).toBe(400)
    const page = await (await fetch(`${both.sandbox.url}/whatsapp?from=15550001111`)).text()
    expect(page).toContain(`data-press="pt" data-of="${sent[0].id}">pt</button>`)
  })

  test('when the person has not written, then a template is still delivered', async () => {
    const template = (words: string) => ({
      ...text('15550009999', ''),
      type: 'template',
      template: {
        name: 'note_ready',
        language: { code: 'en' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: words }] }],
      },
    })
    expect((await graphPost(messages, template('two\nlines'))).status).toBe(400)
    expect((await graphPost(messages, template('Hello'))).status).toBe(200)
    const chat = await both.call('GET', '/api/whatsapp/chats/15550009999')
    expect(chat.body.messages).toMatchObject([{ text: '(note_ready) Hello', status: 'delivered' }])
  })

  test('when it marks a message as read, then the chat shows that of it and of those before it', async () => {
    await writes()
    const { id } = await writes()
    await writes()
    const answer = await graphPost(messages, {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: id,
    })
    expect(await answer.json()).toEqual({ success: true })
    const { body } = await both.call('GET', '/api/whatsapp/chats/15550001111')
    expect(body).toMatchObject({
      messages: [{ status: 'read' }, { status: 'read' }, { status: 'delivered' }],
    })
  })

  test('when the person has never written, then it fails with 131047', async () => {
    const answer = await graphPost(messages, text('15550009999', 'Hello?'))
    expect(answer.status).toBe(200)
    const status = await eventually(() => statuses()[0])
    expect(status).toMatchObject({ status: 'failed', errors: [{ code: 131047 }] })
  })

  test.each([
    [{ rateLimited: 1 }, 429, 130429, '2'],
    [{ window: 'refused' }, 400, 131047, null],
  ])(
    'when %j is switched on, then a send is answered %i, and works when it is off',
    async (fault, http, code, retryAfter) => {
      await writes()
      await both.call('POST', '/api/whatsapp/faults', fault)
      const answer = await graphPost(messages, text('15550001111', 'one'))
      expect(answer.status).toBe(http)
      expect(answer.headers.get('retry-after')).toBe(retryAfter)
      expect((await answer.json()).error.code).toBe(code)
      await both.call('POST', '/api/whatsapp/faults', { window: 'real' })
      expect((await graphPost(messages, text('15550001111', 'two'))).status).toBe(200)
      const { body } = await both.call('GET', '/api/whatsapp/chats/15550001111')
      expect(body.messages.map(({ text }: { text: string }) => text)).toEqual(['Hi', 'two'])
    },
  )

  const sends = (wrong: object) => graphPost(messages, text('15550001111', 'x', wrong))
  const invalid = { code: 100, type: 'OAuthException' }
  test.each<[string, () => Promise<Response>, number, object]>([
    ['a text over 4096 characters', () => sends({ text: { body: 'x'.repeat(4097) } }), 400, invalid],
    ['no text', () => sends({ text: { body: '' } }), 400, invalid],
    ['no recipient', () => sends({ to: undefined }), 400, invalid],
    ['another product', () => sends({ messaging_product: 'sms' }), 400, invalid],
    ['an unknown type', () => sends({ type: 'poem' }), 400, invalid],
    [
      'an unknown id',
      () => graph('123'),
      400,
      { code: 100, error_subcode: 33, type: 'GraphMethodException' },
    ],
    ['a wrong token', () => graph(messages, { method: 'POST' }, 'other'), 401, { code: 190 }],
  ])('when it sends %s, then Graph’s error says so', async (_what, call, status, error) => {
    const answer = await call()
    expect([answer.status, (await answer.json()).error]).toMatchObject([status, error])
  })
})

test('when another web site posts, then it is refused', async () => {
  const answer = await fetch(`${both.sandbox.url}/api/whatsapp/faults`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' },
    body: '{"rateLimited":5}',
  })
  expect(answer.status).toBe(403)
})

describe('a business with two numbers', () => {
  const [second, number] = ['106540352242999', '15550783882']
  beforeEach(async () => {
    await both.stop()
    both = await startBoth({ whatsapp: { ...whatsapp, moreNumberIds: [second] } })
  })

  test('when a person writes to the second one, then webhooks name it, and it answers', async () => {
    await writes({ from: '15550001111', text: 'Hi', to: number })
    const { metadata } = await eventually(() => values()[0])
    expect(metadata).toEqual({ display_phone_number: number, phone_number_id: second })
    expect((await graphPost(`${second}/messages`, text('15550001111', 'Ho'))).status).toBe(200)
    await eventually(() => statuses().length > 0)
    expect(values().at(-1).metadata.phone_number_id).toBe(second)
    const { body } = await both.call('GET', '/api/whatsapp/chats/15550001111')
    expect(body.messages.map((message: { numberId: string }) => message.numberId)).toEqual([second, second])
  })

  test('when Graph is asked for a number, then it shows it; a number of nobody is refused', async () => {
    expect(await (await graph(second)).json()).toEqual({ display_phone_number: `+${number}`, id: second })
    expect((await graphPost('1/messages', text('15550001111', 'Ho'))).status).toBe(400)
    const refused = { from: '15550001111', text: 'Hi', to: '15550000000' }
    expect((await both.call('POST', '/api/whatsapp/messages', refused)).status).toBe(400)
  })

  test('when a link to it is opened, then the chat is with it', async () => {
    const { headers } = await fetch(`${both.sandbox.url}/wa/${number}?text=Hi`, { redirect: 'manual' })
    expect(headers.get('location')).toBe(`/whatsapp?to=${number}&text=Hi`)
    const { text: page } = { text: await (await fetch(`${both.sandbox.url}/whatsapp?to=${number}`)).text() }
    expect(page).toContain(`name="to" value="${number}"`)
  })
})
