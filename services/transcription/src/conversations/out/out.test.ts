import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { deskWithSphinx } from '../../testing.ts'

const run = promisify(execFile)
const { sphinx, desk, note: path, folder } = await deskWithSphinx({ PUBLIC_URL: 'https://vox.example' })

const VOICE = 'PTT-20250314-WA0001.opus'
const TEXT = [
  '14/03/2025, 21:00 - Ana: Hello *you* <b>',
  `14/03/2025, 21:01 - Bo: ${VOICE} (file attached)`,
  '14/03/2025, 21:02 - Ana: PTT-lost.opus (file attached)',
  '14/03/2025, 21:03 - Bo: <Media omitted>',
  '14/03/2025, 21:04 - Ana: مرحبا <This message was edited>',
  '',
].join('\n')
const digestOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

async function made(userId: string) {
  const files = [{ name: VOICE, bytes: 10, sha256: 'a'.repeat(64) }]
  const body = { source: 'whatsapp', name: 'Family', text: TEXT, files, timeZone: 'Europe/Berlin' }
  const { id } = (await desk.call('POST', '/conversations', userId, { body })).body.data.conversation
  await sphinx.says('bring', 'bread')
  const facts = {
    userId,
    conversation: { id, file: VOICE },
    source: { channel: 'web' as const },
    fileName: VOICE,
  }
  const { id: noteId } = await desk.complete(path, facts)
  return { id, noteId }
}
const file = (userId: string, id: string, query: string) =>
  desk.fetch(`/api/conversations/${id}/export?${query}`, userId)

describe('a conversation as a file', () => {
  test('when it is certified, then lines have numbers, corrections are marked, and digests are named', async () => {
    const { id, noteId } = await made('ana')
    const [segment] = (await desk.noteOf(noteId, 'ana')).segments
    const body = { segments: [{ id: segment.id, text: 'bring butter' }] }
    await desk.call('PATCH', `/transcriptions/${noteId}`, 'ana', { body })
    const txt = await file('ana', id, 'format=txt&certified=on')
    expect(txt.headers.get('content-disposition')).toBe('attachment; filename=Family.txt')
    const lines = (await txt.text()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'People: Ana, Bo',
        'Missing files: PTT-lost.opus',
        `SHA-256 of the chat’s text: ${digestOf(TEXT)}`,
        expect.stringMatching(/^SHA-256 of the text: [0-9a-f]{64}$/),
        '[1  2025-03-14 21:00:00] Ana: Hello *you* <b>',
        expect.stringMatching(/^\[2 {2}2025-03-14 21:01:00\] Bo: \[Voice note, .+\] bring butter$/),
        '    Corrected by hand; originally: bring bread',
        expect.stringMatching(/^ {4}SHA-256 of the audio: [0-9a-f]{64}$/),
        '[3  2025-03-14 21:02:00] Ana: [PTT-lost.opus] Not transcribed',
        '[4  2025-03-14 21:03:00] Bo: [File, left out of the export]',
        '[5  2025-03-14 21:04:00] Ana: مرحبا (edited)',
        'These are other people’s words: whoever shares them answers for it.',
      ]),
    )
    const plain = await (await file('ana', id, 'format=txt')).text()
    expect(plain).not.toContain('SHA-256')
    expect(plain).toContain('[2025-03-14 21:00:00] Ana: Hello')
    const markdown = await (await file('ana', id, 'format=md')).text()
    expect(markdown).toContain(
      `(https://vox.example/conversations/${id}?n=1) **Ana:** Hello \\*you\\* \\<b\\>`,
    )
    const word = Buffer.from(await (await file('ana', id, 'format=docx')).arrayBuffer())
    expect(word.subarray(0, 2).toString()).toBe('PK')
    const pdf = Buffer.from(await (await file('ana', id, 'format=pdf&certified=on')).arrayBuffer())
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const json = await (await file('ana', id, 'format=json')).json()
    expect(json).toMatchObject({ id, sha256: digestOf(TEXT), missing: ['PTT-lost.opus'] })
    expect(json.messages).toHaveLength(5)
    for (const wrong of ['', 'format=exe', 'format=txt&certified=yes'])
      expect([wrong, (await file('ana', id, wrong)).status]).toEqual([wrong, 400])
    expect((await file('bob', id, 'format=txt')).status).toBe(404)
  })

  test('when it is a zip, then it has all files, and their digests are right', async () => {
    const { id } = await made('zip')
    const place = await mkdtemp(join(folder, 'zip-'))
    await writeFile(
      join(place, 'a.zip'),
      Buffer.from(await (await file('zip', id, 'format=zip')).arrayBuffer()),
    )
    await run('python3', ['-m', 'zipfile', '-t', 'a.zip'], { cwd: place })
    await run('python3', ['-m', 'zipfile', '-e', 'a.zip', 'all'], { cwd: place })
    const { stdout } = await run('sha256sum', ['--strict', '-c', 'SHA256SUMS'], { cwd: join(place, 'all') })
    expect(stdout.trim().split('\n')).toEqual(['chat.txt: OK', 'conversation.pdf: OK', `audio/${VOICE}: OK`])
    expect(await readFile(join(place, 'all/chat.txt'), 'utf8')).toBe(TEXT)
    expect(await readFile(join(place, `all/audio/${VOICE}`))).toEqual(await readFile(path))
  })

  test('when a person takes everything out, then their conversations are in it', async () => {
    const { id } = await made('leaver')
    const wanted = { userId: 'leaver', language: 'en', files: {} }
    const place = await mkdtemp(join(folder, 'out-'))
    const response = await desk.fetch('/internal/export', undefined, {}, wanted)
    await writeFile(join(place, 'a.zip'), Buffer.from(await response.arrayBuffer()))
    await run('python3', ['-m', 'zipfile', '-e', 'a.zip', 'all'], { cwd: place })
    const kept = JSON.parse(await readFile(join(place, 'all/conversations/Family.json'), 'utf8'))
    expect(kept).toMatchObject({ id, messages: [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }, { n: 5 }] })
  })
})

describe('a link to a conversation', () => {
  const share = (id: string, userId: string, body: object = { days: 7 }) =>
    desk.call('POST', `/conversations/${id}/share`, userId, { body })

  test('when someone has it, then they read what its person reads, until it ends', async () => {
    const { id } = await made('sharer')
    const { body } = await share(id, 'sharer')
    expect(body.message).toBe('The link is ready')
    const token = body.data.url.split('/s/')[1]
    expect(body.data.url).toMatch(/^https:\/\/vox\.example\/s\/[\w-]{43}$/)
    const read = async (more = '') => {
      const answer = await desk.fetch(`/api/shared/${token}${more}`)
      return { status: answer.status, data: (await answer.json()).data }
    }
    const own = (await desk.call('GET', `/conversations/${id}`, 'sharer')).body.data
    expect(await read()).toEqual({ status: 200, data: own })
    const messages = (await desk.call('GET', `/conversations/${id}/messages?limit=2`, 'sharer')).body.data
    expect(await read('/messages?limit=2')).toEqual({ status: 200, data: messages })
    expect((await read('/messages?limit=0')).status).toBe(400)
    expect((await read('/audio')).status).toBe(404)
    expect((await share(id, 'stranger')).status).toBe(404)
    expect((await share(id, 'sharer', { days: 3 })).status).toBe(400)
    expect((await desk.call('DELETE', `/conversations/${id}/share`, 'sharer')).status).toBe(200)
    expect([(await read()).status, (await read('/messages')).status]).toEqual([404, 404])
  })

  test('when the conversation is deleted, then it ends', async () => {
    const { id } = await made('gone')
    const token = (await share(id, 'gone')).body.data.url.split('/s/')[1]
    await desk.call('DELETE', `/conversations/${id}?notes=true`, 'gone')
    expect((await desk.fetch(`/api/shared/${token}`)).status).toBe(404)
    expect((await desk.fetch(`/api/shared/${token}/messages`)).status).toBe(404)
  })
})
