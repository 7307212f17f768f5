import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Hook, HookDelivery } from '@voxscribe/contracts/http'
import { type FakeHandlers, failure, ok } from '../../testing/fake-api.ts'
import { ada } from '../../testing/people.ts'
import { openApp } from '../../testing/render-app.tsx'
import { speak } from '../../testing/speak.ts'
import { getToasts } from '../../ui/feedback/toast.ts'

const secret = `whsec_${'a1B2'.repeat(8)}`
const n8n: Hook = {
  id: 'hook-1',
  url: 'https://example.com/voxscribe',
  events: ['transcription.completed'],
  description: 'n8n',
  enabled: true,
  disabledReason: null,
  lastUsedAt: null,
  createdAt: '2026-11-20T12:00:00.000Z',
}
const off: Hook = { ...n8n, id: 'hook-2', url: 'https://example.org/old', description: '', enabled: false }
const delivered: HookDelivery = {
  id: 'msg-1',
  type: 'transcription.completed',
  status: 'delivered',
  createdAt: '2026-11-21T12:00:00.000Z',
  tries: 1,
  lastTriedAt: '2026-11-21T12:00:01.000Z',
  nextTryAt: null,
  failure: null,
  statusCode: 204,
  answer: '',
}
const failing: HookDelivery = {
  ...delivered,
  id: 'msg-2',
  status: 'waiting',
  tries: 3,
  nextTryAt: '2099-11-21T12:30:00.000Z',
  failure: 'status',
  statusCode: 502,
  answer: '<b>Bad gateway</b>',
}

const open = (hooks: Hook[], more: FakeHandlers = {}) =>
  openApp(
    '/programs',
    { hooks: () => ok({ hooks }), hookDeliveries: () => ok({ deliveries: [] }), ...more },
    ada,
  )
const hookOf = async (name: string) => within(await screen.findByRole('article', { name }))
const button = (name: string) => screen.getByRole('button', { name })

test('when the page opens, then each hook tells its address, its events, its last use and whether it is on', async () => {
  open([{ ...n8n, lastUsedAt: '2026-11-21T12:00:00.000Z' }, off])
  expect((await hookOf('n8n')).getByText(/Nov 21, 2026/)).toBeTruthy()
  expect((await hookOf('https://example.org/old')).getByText('Never')).toBeTruthy()
  expect((await hookOf('n8n')).getByText('https://example.com/voxscribe')).toBeTruthy()
  expect((await hookOf('n8n')).getByText('On')).toBeTruthy()
  expect((await hookOf('https://example.org/old')).getByText('Off')).toBeTruthy()
  expect(screen.queryByText(/because your password changed/)).toBeNull()
  expect(screen.getByRole('link', { name: 'How to receive messages' }).getAttribute('href')).toBe(
    '/docs/connect#receive-the-text-by-a-hook',
  )
})

test('when a new password has turned a hook off, then it says so, and can be turned on again', async () => {
  const { api, user } = open([{ ...n8n, enabled: false, disabledReason: 'password_changed' }], {
    changeHook() {
      api.on({ hooks: () => ok({ hooks: [n8n] }) })
      return ok({ hook: n8n })
    },
  })
  expect((await hookOf('n8n')).getByText(/^Turned off because your password changed\./)).toBeTruthy()
  await user.click(button('Turn on'))
  await waitFor(() => expect(screen.queryByText(/because your password changed/)).toBeNull())
  expect(api.of('changeHook')[0]?.body).toEqual({ enabled: true })
})

test('when the hooks cannot be loaded, then another try is offered', async () => {
  const { api, user } = open([], { hooks: () => failure(200) })
  const retry = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByText('Failed to load your programs')).toBeTruthy()
  api.on({ hooks: () => ok({ hooks: [] }) })
  await user.click(retry)
  expect(await screen.findByText(/^Nothing is connected yet/)).toBeTruthy()
})

describe('when a hook is created', () => {
  test('then its secret is shown, also in another language, and the list has it', async () => {
    const { api, user } = open([], {
      createHook() {
        api.on({ hooks: () => ok({ hooks: [n8n] }) })
        return ok({ hook: n8n, secret })
      },
    })
    await user.type(await screen.findByLabelText('Address'), ` ${n8n.url} `)
    await user.type(screen.getByLabelText('Description (optional)'), 'n8n')
    await user.click(screen.getByRole('checkbox', { name: /^A note was deleted/ }))
    await user.click(button('Create hook'))
    const shown = await screen.findByText(secret)
    expect(document.activeElement?.contains(shown)).toBe(true)
    expect(api.of('createHook')[0]?.body).toEqual({
      url: n8n.url,
      description: 'n8n',
      events: ['transcription.completed', 'transcription.deleted'],
    })
    await hookOf('n8n')
    speak('de')
    expect(await screen.findByText(secret)).toBeTruthy()
    speak('en')
  })

  test('and address and events are missing, then both are asked for and nothing is sent', async () => {
    const { api, user } = open([])
    await user.type(await screen.findByLabelText('Address'), 'example.com')
    await user.click(screen.getByRole('checkbox', { name: /^A text is ready/ }))
    await user.click(button('Create hook'))
    expect(await screen.findByText(/^Please enter an address such as/)).toBeTruthy()
    expect(screen.getByText('Choose which events the hook receives')).toBeTruthy()
    expect(api.of('createHook')).toEqual([])
  })

  test('and the server refuses the address, then that is told at it, in the reader’s language', async () => {
    const errors = [{ field: 'url', message: 'private', code: 'private_address' }]
    const { user } = open([], { createHook: () => failure(400, 'private', { errors }) })
    const refused = 'The address must be on the internet, not in a private network'
    await screen.findByLabelText('Address')
    speak('de', { [refused]: 'Nicht im privaten Netz' })
    await user.type(await screen.findByLabelText('Address'), 'https://127.0.0.1/')
    await user.click(button('Create hook'))
    await waitFor(() => expect(screen.getByLabelText('Address').getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getAllByText('Nicht im privaten Netz').length).toBeGreaterThan(0)
    speak('en')
  })
})

describe('when a hook is changed', () => {
  test('then the form has what it was, and closes once that is saved', async () => {
    const { api, user } = open([n8n], {
      changeHook({ body }) {
        const hook = { ...n8n, ...body } as Hook
        api.on({ hooks: () => ok({ hooks: [hook] }) })
        return ok({ hook })
      },
    })
    const line = await hookOf('n8n')
    await user.click(line.getByRole('button', { name: 'Change' }))
    expect(document.activeElement?.textContent).toBe('n8n')
    const address = line.getByLabelText<HTMLInputElement>('Address')
    expect(address.value).toBe(n8n.url)
    await user.type(address, '/v2')
    await user.click(line.getByRole('button', { name: 'Save' }))
    expect(await line.findByText('https://example.com/voxscribe/v2')).toBeTruthy()
    expect(line.queryByLabelText('Address')).toBeNull()
    expect(document.activeElement?.textContent).toBe('n8n')
    await user.click(line.getByRole('button', { name: 'Turn off' }))
    await line.findByRole('button', { name: 'Turn on' })
    expect(api.of('changeHook')[1]?.body).toEqual({ enabled: false })
  })

  test('and its secret is replaced, then that is asked first, and the new one is shown', async () => {
    const { user } = open([n8n], { rotateHook: () => ok({ hook: n8n, secret }) })
    const line = await hookOf('n8n')
    await user.click(line.getByRole('button', { name: 'New secret' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Replace the secret?' }))
    expect(dialog.getByText(/stays valid for a day/)).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: 'Replace' }))
    expect(await line.findByText(secret)).toBeTruthy()
  })

  test('and it is deleted, then that is asked first, and the list has the focus', async () => {
    const { api, user } = open([n8n, off], {
      deleteHook() {
        api.on({ hooks: () => ok({ hooks: [off] }) })
        return ok(null)
      },
    })
    await user.click((await hookOf('n8n')).getByRole('button', { name: 'Delete' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Delete this hook?' }))
    await user.click(dialog.getByRole('button', { name: 'Delete' }))
    await waitFor(() => expect(screen.queryByRole('article', { name: 'n8n' })).toBeNull())
    expect(api.of('deleteHook').map(({ params }) => params)).toEqual([{ id: 'hook-1' }])
    const list = screen.getByRole('region', { name: 'Your programs' })
    await waitFor(() => expect(document.activeElement).toBe(list))
  })
})

describe('when the deliveries of a hook are opened', () => {
  const openDeliveries = async (more: FakeHandlers) => {
    const opened = open([n8n], more)
    const line = await hookOf('n8n')
    await opened.user.click(line.getByText('Deliveries'))
    return { ...opened, line }
  }

  test('then each tells its answer, why it failed and when it is tried next', async () => {
    const { line } = await openDeliveries({ hookDeliveries: () => ok({ deliveries: [failing, delivered] }) })
    const [first, second] = await line.findAllByRole('listitem')
    expect(first?.textContent).toMatch(
      /Waiting.*Tries3.*Next tryNov 21, 2099.*Answer502.*answered with an error/,
    )
    expect(within(first!).getByText('<b>Bad gateway</b>')).toBeTruthy()
    expect(second?.textContent).toMatch(/Delivered.*Answer204$/)
  })

  test('and one is sent again, then it is asked for again until it is over', async () => {
    const { api, user, line } = await openDeliveries({
      hookDeliveries: () => ok({ deliveries: [failing] }),
      deliverAgain() {
        const over = () => ok({ deliveries: [{ ...failing, ...delivered, id: 'msg-2' }] })
        const now = { ...failing, nextTryAt: new Date().toISOString() }
        api.on({
          hookDeliveries() {
            api.on({ hookDeliveries: over })
            return ok({ deliveries: [now] })
          },
        })
        return ok({ delivery: now })
      },
    })
    await user.click(await line.findByRole('button', { name: 'Send again' }))
    expect(await line.findByText('Delivered')).toBeTruthy()
    expect(api.of('deliverAgain')[0]?.params).toEqual({ id: 'hook-1', deliveryId: 'msg-2' })
  })

  test('and there are none or they cannot be loaded, then that is told', async () => {
    const { api, user, line } = await openDeliveries({ hookDeliveries: () => failure(200) })
    const retry = await line.findByRole('button', { name: 'Try again' })
    api.on({ hookDeliveries: () => ok({ deliveries: [] }) })
    await user.click(retry)
    expect(await line.findByText('Nothing was sent in the last 7 days.')).toBeTruthy()
  })
})

describe('when a test is sent', () => {
  const sendTest = async (outcome: Partial<HookDelivery>) => {
    const waiting = {
      ...delivered,
      id: 'test-1',
      type: 'test' as const,
      status: 'waiting' as const,
      tries: 0,
    }
    const { api } = open([n8n], {
      testHook: () => ok({ delivery: waiting }),
      hookDeliveries: () => ok({ deliveries: [{ ...waiting, tries: 1, ...outcome }] }),
    })
    const line = await hookOf('n8n')
    // Two presses before the page has rendered the first.
    for (const _ of 'ab') fireEvent.click(line.getByRole('button', { name: 'Send a test' }))
    await line.findByRole('button', { name: 'Send a test', busy: false })
    expect(api.of('testHook')).toHaveLength(1)
    return line
  }

  test('and it arrives, then that is told', async () => {
    const line = await sendTest({ status: 'delivered' })
    expect(await line.findByText('The test has arrived.')).toBeTruthy()
  })

  test('and the address does not answer, then that is told', async () => {
    const line = await sendTest({ status: 'failed', failure: 'timeout', statusCode: null })
    expect((await line.findByRole('alert')).textContent).toBe('The address didn’t answer in time.')
  })

  test('and it is refused, then the reason is told', async () => {
    const { user } = open([n8n], { testHook: () => failure(429, 'Too many tests.') })
    await user.click((await hookOf('n8n')).getByRole('button', { name: 'Send a test' }))
    await waitFor(() => expect(getToasts()).toMatchObject([{ type: 'error', message: 'Too many tests.' }]))
  })
})
