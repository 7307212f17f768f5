import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { languageName } from '@voxscribe/contracts/languages'
import { PLANS } from '@voxscribe/contracts/plans'
import { english } from '@voxscribe/languages'
import { i18nFor } from '@voxscribe/languages/node'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { chatOf, newNumber, signUp } from './testing/person.ts'
import { recognised, SENTENCE, voiceNote, wordsOf } from './testing/speech.ts'
import type { System } from './testing/system.ts'

describe('a chat', () => {
  let system: System
  beforeAll(async () => {
    system = await startOneProcess()
  })
  afterAll(() => system?.remove())

  type Chat = ReturnType<typeof chatOf>
  /** Sends a text and returns the reply to it. */
  const askIn = (chat: Chat) => async (text: string, quoted?: { id: string }) =>
    chat.replyTo(await chat.sendText(text, quoted?.id))
  async function picture() {
    const path = join(tmpdir(), 'voxscribe-picture.jpg')
    await writeFile(path, Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex'))
    return path
  }

  test('when a person writes arbitrary messages, then each is answered', async () => {
    const person = await signUp(system)
    const say = async (text: string) => (await askIn(person)(text)).text
    expect(await say('Hello?')).toMatch(/automated.*30 minutes left/)
    expect(await say('AYUDA')).toMatch(/You can also write.*minutes/s)
    expect(await say('minutos')).toMatch(/^You have 30 minutes left until/)
    expect(await say('my code is VX-WRONG234')).toMatch(/do not know this link code.*dashboard/)
    expect((await person.replyTo(await person.sendNote(await picture()))).text).toMatch(/send a voice note/)
    const count = (await person.messages()).length
    await person.sendText('Thanks!')
    await person.sendText('hello again')
    await say('help')
    expect(await person.messages()).toHaveLength(count + 4)
  })

  test('when a person sends commands about a note, then they are executed, even for quotes of quotes', async () => {
    const person = await signUp(system)
    const ask = askIn(person)
    const sent = await person.sendNote(await voiceNote(), { voice: true })
    const first = await person.replyTo(sent)
    // A claimed number can use the notes of its own chat, but can't set the language of messages.
    expect((await ask('srt', sent)).file?.name).toMatch(/\.srt$/)
    expect((await ask('Idioma español')).text).toMatch(/link code/)
    await ask(`My code: ${person.user.link_code}`)
    const file = await ask('TXT', first)
    expect(file.file?.name).toMatch(/\.txt$/)
    expect(recognised(wordsOf(SENTENCE), (await person.fileOf(file)).toString())).toBeGreaterThanOrEqual(0.6)
    const again = await ask('inglés', file)
    expect(again.text).toMatch(/English/)
    expect((await person.ended(1))[0]).toMatchObject({ status: 'completed', language: 'en' })
    const [word = ''] = /\p{L}{5,}/u.exec(again.text ?? '') ?? []
    expect((await ask(`busca ${word}`)).text).toMatch(/^The newest notes with/)
    expect((await ask('Sprache Deutsch')).text).toMatch(/Deutsch/)
    const profile = async () => (await person.http.get('/users/profile')).data.data.user
    const isGerman = async () => (await profile()).ui_language === 'de'
    await eventually('the profile has the language', isGerman)
    // Another person who quotes it gets nothing.
    const other = await signUp(system)
    expect((await askIn(other)('delete', sent)).text).toMatch(/can’t find/)
    expect((await person.transcriptions()).statistics.total).toBe(1)
    await ask('löschen', again)
    expect((await person.transcriptions()).statistics.total).toBe(0)
  })

  /** In all languages, without the replies: services/ingestion/src/webhooks/phrases.test.ts. */
  const WORDS = {
    de: [
      'Sprache Deutsch',
      'Hilfe',
      'Minuten',
      'suche',
      'Englisch',
      'löschen',
      'hol die zurück',
      'schick mir den link',
    ],
    ar: ['لغة العربية', 'مساعدة', 'دقائق', 'ابحث', 'الإنجليزية', 'احذف', 'رجعها', 'ابغى الرابط'],
  } as const

  test.each(Object.keys(WORDS) as (keyof typeof WORDS)[])(
    'when a person uses only the chat, in %s, then twelve tasks are done and confirmed in it',
    async uiLanguage => {
      const i18n = i18nFor(uiLanguage)
      /** Returns a pattern for the translation of a text, with any values. */
      const like = (text: string) => {
        const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, '{}'])
        const counted = [...text.matchAll(/\{(\w+), plural/g)].map(([, name]) => [name, PLANS.free.minutes])
        const values = Object.fromEntries([...names, ...counted])
        const said = i18n.t(text, values).replace(/\p{N}+/gu, '{}')
        expect(said).not.toBe(english.t(text, values))
        return new RegExp(said.split('{}').map(RegExp.escape).join('.*'), 's')
      }
      const [language, help, minutes, find, inEnglish, remove, undo, share] = WORDS[uiLanguage]
      const person = await signUp(system)
      const ask = askIn(person)
      await ask(`My code: ${person.user.link_code}`)
      expect((await ask(language)).text).toMatch(like('From now on I’ll write to you in {language}.'))
      await eventually('notification has heard of it', async () => {
        expect((await ask(minutes)).text).toMatch(
          like(
            '{minutes, plural, one {You have # minute left until {date}.} other {You have # minutes left until {date}.}}',
          ),
        )
      })
      expect((await ask(help)).text).toMatch(like('You can also write:'))
      const path = await voiceNote()
      const first = await person.replyTo(await person.sendNote(path, { voice: true }))
      expect(recognised(wordsOf(SENTENCE), first.text ?? '')).toBeGreaterThanOrEqual(0.6)
      expect(first.text).toContain(`_0:06 · ${languageName(i18n, 'en')} · `)
      const same = await person.replyTo(await person.sendNote(path, { voice: true }))
      expect(same.text).toMatch(like('Same as {title} of {date}, free'))
      const [word = ''] = /\p{L}{5,}/u.exec(first.text ?? '') ?? []
      expect((await ask(`${find} ${word}`)).text).toMatch(like('The newest notes with “{words}”:'))
      expect((await ask('srt', first)).file?.name).toMatch(/\.srt$/)
      expect((await ask(inEnglish, first)).text).toContain(languageName(i18n, 'en'))
      expect((await ask(remove, same)).text).toMatch(like('Deleted: “{title}”'))
      expect((await person.transcriptions()).statistics.total).toBe(1)
      expect((await ask(undo)).text).toMatch(like('“{title}” is back.'))
      expect((await person.transcriptions()).statistics.total).toBe(2)
      expect((await ask(share, first)).text).toMatch(
        like('Anyone with this link can read “{title}” until {date}:'),
      )
    },
  )

  test('when WhatsApp no longer accepts texts, then the text is mailed, and sent to the chat later', async () => {
    const person = await signUp(system)
    await person.close(true)
    const sent = await person.sendNote(await voiceNote('late.ogg'), { voice: true })
    const mail = await person.mail(/text of your voice/)
    await person.close(false)
    expect(recognised(wordsOf(SENTENCE), mail.text)).toBeGreaterThanOrEqual(0.6)
    await person.sendText('Thanks!')
    expect((await person.replyTo(sent)).text).toContain('_0:06 · English')
    expect(await person.replies(1)).toHaveLength(1)
  })

  test('when an unknown number writes, then the answer has a sign-up link with the number', async () => {
    const number = `1${newNumber()}`
    const { text } = await askIn(chatOf(system, number))('Hola')
    expect(text).toContain(`/signup?phone=${number} `)
  })
})
