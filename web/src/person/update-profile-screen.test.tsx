import { act, screen, waitFor } from '@testing-library/react'
import type { LanguageItem, PublicConfig, User } from '@voxscribe/contracts/http'
import { followProfile } from '../app/language-switch.tsx'
import { queryClient } from '../session/query-client.ts'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'
import { speak } from '../testing/speak.ts'
import { storedUser } from '../testing/storage.ts'
import { getToasts } from '../ui/feedback/toast.ts'

const languages: LanguageItem[] = [
  { id: 'auto', label: 'Auto-detect' },
  { id: 'de', label: 'German' },
]

const open = (more: FakeHandlers = {}) =>
  openApp(
    '/update-profile',
    {
      languages: () => ok(languages),
      updateProfile: ({ body }) => ok({ user: { ...ada, ...(body as Partial<User>) } }),
      ...more,
    },
    ada,
  )
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label)
const submit = () => screen.getByRole('button', { name: 'Update Profile' })

describe('when the profile page opens', () => {
  test('then it shows what is saved', async () => {
    open()
    const saved = {
      'First name': 'Ada',
      'Last name': 'Lind',
      Email: 'ada@example.org',
      'Phone number': '2015550123',
      'Usual language of your notes': 'auto',
    }
    for (const [label, value] of Object.entries(saved)) expect((await field(label)).value).toBe(value)
    expect(screen.getByDisplayValue('United States (+1)')).toBeTruthy()
  })
  const [nothing, by] = ['We can’t transcribe notes at the moment.', 'Speech is recognized by']
  test.each<[PublicConfig['speech']['languages'], names: string[], sentence: string]>([
    [[], [], `${nothing} They are kept and transcribed as soon as we can.`],
    [['en'], ['local'], `${by} a model on our own servers (tiny), in English only.`],
    ['all', ['openai'], `${by} OpenAI (tiny), in every language of this list.`],
    [['en', 'ja'], ['local'], `${by} a model on our own servers (tiny), in English and Japanese.`],
    [
      'all',
      ['voxtral', 'sphinx'],
      `${by} voxtral (tiny) or PocketSphinx (tiny), in every language of this list.`,
    ],
  ])('then %j are recognised by %s: %s', async (languages, names, sentence) => {
    const speech = { engines: names.map(name => ({ name, model: 'tiny' })), languages, speakers: false }
    open({ config: () => ok({ ...config, speech }) })
    expect(await screen.findByText(sentence)).toBeTruthy()
  })
  test('then the languages that are recognised here stand first', async () => {
    const speech = { engines: [{ name: 'local', model: 'm' }], languages: ['es'], speakers: false }
    const offered = [...languages, { id: 'es', label: 'Spanish' }]
    open({ config: () => ok({ ...config, speech }), languages: () => ok(offered) })
    const group = await screen.findByRole('group', { name: 'Recognized here' })
    expect(group.textContent).toBe('Spanish')
    expect(screen.getByRole('group', { name: /^Not recognized/ }).textContent).toBe('German')
    expect((await field('Usual language of your notes')).value).toBe('auto')
  })
})

describe('when the profile is saved', () => {
  test('and nothing but spaces was added, then nothing is sent', async () => {
    const { api, user } = open()
    await user.type(await field('First name'), '  ')
    await user.click(submit())
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Please make at least one change to update your profile',
    )
    expect(api.of('updateProfile')).toHaveLength(0)
  })

  test('then only what changed is sent, the answer is kept, and it is told', async () => {
    const { api, user } = open()
    const name = await field('First name')
    await user.clear(name)
    await user.type(name, '  Grace ')
    await user.clear(await field('Last name'))
    await user.selectOptions(await field('Usual language of your notes'), 'de')
    await user.click(submit())
    await waitFor(() =>
      expect(getToasts()).toMatchObject([{ type: 'success', message: 'Profile updated successfully!' }]),
    )
    expect(api.of('updateProfile')[0]?.body).toEqual({ first_name: 'Grace', wa_language: 'de' })
    expect(storedUser()).toMatchObject({ first_name: 'Grace', wa_language: 'de' })
    expect((await field('Last name')).value).toBe('Lind')
    await user.click(submit())
    expect((await screen.findByRole('alert')).textContent).toContain('at least one change')
  })

  test('and it was changed elsewhere, then the form has followed, but for what was typed here', async () => {
    const { api, user } = open()
    await user.type(await field('First name'), ' Maria')
    await user.type(await field('Phone number'), '9')
    const elsewhere = { ...ada, first_name: 'Augusta', last_name: 'King', wa_language: 'de' }
    api.on({ profile: () => ok({ user: elsewhere }) })
    await act(() => queryClient.invalidateQueries({ queryKey: ['profile'] }))
    expect((await field('Last name')).value).toBe('King')
    expect((await field('Usual language of your notes')).value).toBe('de')
    await user.click(submit())
    const typed = { first_name: 'Ada Maria', wtp_number: '20155501239' }
    await waitFor(() => expect(api.of('updateProfile')[0]?.body).toEqual(typed))
  })

  test('and summaries are wanted of all notes, then that is sent; without a text model it is not asked', async () => {
    const { api, user, unmount } = open({ config: () => ok({ ...config, textModel: true }) })
    await user.selectOptions(await field('Summaries without being asked'), 'Of all notes')
    await user.click(submit())
    await waitFor(() => expect(api.of('updateProfile')[0]?.body).toEqual({ gist: 'all' }))
    unmount()
    open({ config: () => ok({ ...config, textModel: false }) })
    await field('Texts that WhatsApp no longer takes')
    expect(screen.queryByLabelText('Summaries without being asked')).toBeNull()
  })

  test('and the server refuses without a word, then that is told and what was typed stays', async () => {
    const { user } = open({ updateProfile: () => failure(200) })
    await user.type(await field('First name'), 'x')
    await user.click(submit())
    expect((await screen.findByRole('alert')).textContent).toBe('Failed to update profile')
    expect((await field('First name')).value).toBe('Adax')
  })

  test('and another language of the texts is chosen, then it is sent, and the app follows', async () => {
    followProfile()
    globalThis.fetch = async () => Response.json({ 'Update Profile': 'Profil speichern' })
    const german = { user: { ...ada, ui_language: 'de' as const } }
    const { api, user } = open({
      updateProfile() {
        api.on({ profile: () => ok(german) })
        return ok(german)
      },
    })
    await user.selectOptions(await field('Language of the app, chat and emails'), 'Deutsch')
    await user.click(submit())
    expect(await screen.findByRole('button', { name: 'Profil speichern' })).toBeTruthy()
    expect(api.of('updateProfile')[0]?.body).toEqual({ ui_language: 'de' })
    speak('en')
  })

  test('and the number changed, then it must be linked again', async () => {
    const { api, user } = open()
    const phone = await field('Phone number')
    await user.clear(phone)
    await user.type(phone, '20a1-555 0199999999999')
    expect(phone.value).toBe('201555019999999')
    await user.click(submit())
    expect(await screen.findByText(/Your number has changed/)).toBeTruthy()
    expect(api.of('updateProfile')[0]?.body).toEqual({ wtp_number: '201555019999999' })
  })

  test.each([
    ['and Telegram is linked, then it is said before', true],
    ['and no Telegram is linked, then there is no word of it', undefined],
  ])('and the number is to be changed, %s', async (_, telegram_linked) => {
    const user = { ...ada, ...(telegram_linked && { telegram_linked }) }
    const view = open({ profile: () => ok({ user }) })
    await waitFor(() => expect(view.api.of('profile')).not.toHaveLength(0))
    const said = () => screen.queryByText(/your Telegram chat is no longer linked/)
    expect(said()).toBeNull()
    await view.user.type(await field('Phone number'), '4')
    expect(said() !== null).toBe(telegram_linked === true)
    await view.user.type(await field('Phone number'), '{Backspace}')
    expect(said()).toBeNull()
  })
  test('and another country is chosen, then it is sent alone', async () => {
    const { api, user } = open()
    const country = await screen.findByRole('combobox', { name: 'Country' })
    await user.click(country)
    await user.keyboard('kingdom{Enter}')
    expect((country as HTMLInputElement).value).toBe('United Kingdom (+44)')
    await user.click(submit())
    await waitFor(() => expect(api.of('updateProfile')[0]?.body).toEqual({ country_code: '826' }))
  })
})
