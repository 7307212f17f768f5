import { screen, waitFor, within } from '@testing-library/react'
import { queryClient } from '../session/query-client.ts'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { config } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'

const open = (more: FakeHandlers = {}, as = ada) => openApp('/security', more, as)
const keep = () => screen.findByRole('checkbox', { name: /^Keep recordings/ })
const existing = () => screen.getByRole('checkbox', { name: /^Also for the recordings/ })
const days = () => screen.getByLabelText<HTMLSelectElement>('Recordings are deleted')
const save = () => screen.getByRole('button', { name: 'Save' })

test('when the card opens, then it shows the choice, and no more days than the installation has', async () => {
  open(
    { config: () => ok({ ...config, retentionDays: 10 }) },
    { ...ada, keep_audio: false, retention_days: 5 },
  )
  expect((await keep()).matches(':checked')).toBe(false)
  expect(days().selectedOptions[0]?.textContent).toBe('after 5 days')
  expect([...days().options].map(({ value }) => value)).toEqual(['1', '3', '5', '7', '10'])
})

test('when no audio is to be kept, then that is sent, and nothing of what is there goes', async () => {
  const { api, user } = open({ updateProfile: () => ok({ user: { ...ada, keep_audio: false } }) })
  await user.click(await keep())
  await user.click(save())
  const told = await screen.findByText('Your choice has been saved.')
  expect(document.activeElement?.contains(told)).toBe(true)
  expect(api.of('updateProfile').map(({ body }) => body)).toEqual([{ keep_audio: false }])
})

describe('when the choice is also for what is there', () => {
  const ask = async () => {
    const opened = open({
      updateProfile: () => ok({ user: { ...ada, retention_days: 3 } }),
    })
    await keep()
    await opened.user.selectOptions(days(), 'after 3 days')
    await opened.user.click(existing())
    await opened.user.click(save())
    const dialog = within(screen.getByRole('dialog'))
    expect(dialog.getByText(/^Recordings that are older than you chose/)).toBeTruthy()
    expect(opened.api.of('updateProfile')).toEqual([])
    return { ...opened, dialog }
  }

  test('then that is asked first', async () => {
    const { api, user, dialog } = await ask()
    await user.click(dialog.getByRole('button', { name: 'Delete them' }))
    await screen.findByText('Your choice has been saved.')
    expect(api.of('updateProfile').map(({ body }) => body)).toEqual([
      { keep_audio: true, retention_days: 3, apply_to_existing: true },
    ])
    expect(existing().matches(':checked')).toBe(false)
    expect(days().value).toBe('3')
  })

  test('and the question is answered with no, then nothing is sent and the choice stands', async () => {
    const { api, user, dialog } = await ask()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(api.of('updateProfile')).toEqual([])
    expect([days().value, existing().matches(':checked')]).toEqual(['3', true])
  })
})

test('when saving fails, then that is told and the choice stands', async () => {
  const { user } = open({ updateProfile: () => failure(503, 'Away') })
  await user.click(await keep())
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toBe('Away')
  expect((await keep()).matches(':checked')).toBe(false)
})

test('when the choice was changed elsewhere, then the card follows, but for what was touched here', async () => {
  const elsewhere = { ...ada, keep_audio: false, retention_days: 3 }
  const { api, user } = open({ updateProfile: () => ok({ user: elsewhere }) })
  await keep()
  await user.selectOptions(days(), 'after 7 days')
  api.on({ profile: () => ok({ user: elsewhere }) })
  await queryClient.invalidateQueries({ queryKey: ['profile'] })
  await waitFor(async () => expect((await keep()).matches(':checked')).toBe(false))
  expect(days().value).toBe('7')
  await user.click(save())
  await screen.findByText('Your choice has been saved.')
  expect(api.of('updateProfile').map(({ body }) => body)).toEqual([{ keep_audio: false, retention_days: 7 }])
})
