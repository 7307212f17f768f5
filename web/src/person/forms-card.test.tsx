import { screen, waitFor, within } from '@testing-library/react'
import type { Form } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'

const letter: Form = { id: 'f1', name: 'Letter', instruction: 'Write a letter.', auto: null }
const examples = [
  { name: 'Letter', instruction: 'Write a polite letter.' },
  { name: 'Diary', instruction: 'Write a diary.' },
]

async function open(more: FakeHandlers = {}, forms: Form[] = [letter], textModel = true) {
  let current = forms
  const become = (next: Form[], form: Form) => {
    current = next
    return { form }
  }
  const app = openApp(
    '/words',
    {
      config: () => ok({ ...config, textModel }),
      words: () => ok<'words'>({ words: [], replacements: [], engine: null }),
      forms: () => ok<'forms'>({ forms: current, examples }),
      createForm: ({ body }) => {
        const form = { id: 'f2', ...body, auto: body.auto ?? null }
        return ok<'createForm'>(become([...current, form], form))
      },
      changeForm: ({ body }) => ok<'changeForm'>(become([{ ...letter, ...(body as object) }], letter)),
      deleteForm: () => {
        current = []
        return ok<'deleteForm'>(null)
      },
      ...more,
    },
    ada,
  )
  await screen.findByLabelText('One a line')
  return app
}
const card = async () => screen.findByRole('region', { name: 'Your forms' })

test('when there is no text model, then there is no sign of forms', async () => {
  const { api } = await open({}, [], false)
  expect(screen.queryByText('Your forms')).toBeNull()
  expect(api.of('forms')).toEqual([])
})

test('when an example is chosen, then it fills the form, which can be for new notes by itself', async () => {
  const { api, user } = await open()
  expect(within(await card()).queryByRole('button', { name: 'Letter' })).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Diary' }))
  const form = within(await card())
  expect(form.getByLabelText<HTMLInputElement>('Name').value).toBe('Diary')
  await user.click(form.getByLabelText('Write it by itself for new notes'))
  await user.type(form.getByLabelText('Only with one of these tags'), '#work, home')
  await user.type(form.getByLabelText('Only from so many seconds on'), '60')
  await user.click(form.getByLabelText('WhatsApp'))
  await user.click(form.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(form.queryByLabelText('Name')).toBeNull())
  expect(api.of('createForm')[0]?.body).toEqual({
    name: 'Diary',
    instruction: 'Write a diary.',
    auto: { tags: ['#work', 'home'], minSeconds: 60, sources: ['whatsapp'] },
  })
  expect((await card()).textContent).toContain('Diary · by itself')
})

test('when a form is changed, refused or deleted, then the card says so', async () => {
  const taken = failure(409, 'You already have a form with this name.', { code: 'form_taken' })
  const { api, user } = await open({ createForm: () => taken })
  const form = within(await card())
  await user.click(await form.findByRole('button', { name: 'Change' }))
  await user.clear(form.getByLabelText('What the text should be like'))
  await user.click(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText('Say what the text should be like')).toBeTruthy()
  await user.type(form.getByLabelText('What the text should be like'), 'A poem.')
  await user.click(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText('A poem.')).toBeTruthy()
  expect(api.of('changeForm')[0]).toMatchObject({ params: { id: 'f1' }, body: { auto: null } })
  await user.click(await form.findByRole('button', { name: 'Diary' }))
  await user.click(form.getByRole('button', { name: 'Save' }))
  expect(await form.findByText('You already have a form with this name.')).toBeTruthy()
  await user.click(form.getByRole('button', { name: 'Cancel' }))
  await user.click(form.getByRole('button', { name: 'Delete' }))
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(form.queryByText('A poem.')).toBeNull())
})
