import { jest } from '@jest/globals'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import type { Todo, User } from '@voxscribe/contracts/http'
import { QRCodeSVG } from 'qrcode.react'
import { type FakeHandlers, failure, held, ok } from '../testing/fake-api.ts'
import { completed, pageOf, sample } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { adaWith, canceling, config, pro, statusOf } from '../testing/plans.ts'
import { openApp } from '../testing/render-app.tsx'
import { storedUser } from '../testing/storage.ts'
import { getToasts } from '../ui/feedback/toast.ts'
import { keepInstallPrompt } from '../upload/install-prompt.ts'

const open = (user: User, more: FakeHandlers = {}) => openApp('/dashboard', more, user)

describe('when the dashboard opens', () => {
  test.each([
    ['the first name', { first_name: 'Ada', name: 'Ada Lind' }, 'Hello, Ada'],
    ['else the name', { first_name: '', name: 'Ada Lind' }, 'Hello, Ada Lind'],
    ['else User', { first_name: '', name: '' }, 'Hello, User'],
  ])('then it greets with %s', async (_, names, greeting) => {
    open({ ...ada, ...names })
    expect(await screen.findByRole('heading', { level: 1, name: greeting })).toBeTruthy()
  })

  test('then it shows the number, the way into the chat, the steps and the size limit', async () => {
    open(ada, { config: () => ok({ ...config, whatsappNumber: '+1 (213) 373-4253' }) })
    expect(await screen.findByText('+1 213 373 4253')).toBeTruthy()
    const link = screen.getByRole('link', { name: /^Open in WhatsApp/ })
    expect(link.getAttribute('href')).toBe('https://wa.me/15550104477?text=K7M2QX')
    expect(link.getAttribute('rel')).toContain('noopener')
    const code = { size: 168, marginSize: 2, bgColor: '#ffffff', fgColor: '#191d33' }
    const { container } = render(<QRCodeSVG value={link.getAttribute('href')!} {...code} />)
    expect(screen.getByRole('img', { name: /QR code/ }).innerHTML).toBe(
      container.firstElementChild?.innerHTML,
    )
    expect(screen.getByText(/Maximum file size: 16 MB/)).toBeTruthy()
    expect(
      within(screen.getByRole('heading', { name: 'How it works' }).parentElement!).getAllByRole('listitem'),
    ).toHaveLength(3)
    expect(document.title).toBe('Dashboard · Voxscribe')
  })

  test.each([
    ['billing', false],
    ['last-known', true],
  ])('and its plan comes from %s, then a notice that it may be old is shown: %s', async (source, noticed) => {
    const { api } = open(ada, {
      profile: () => ({ ...ok<'profile'>({ user: ada }), headers: { 'x-subscription-source': source } }),
    })
    await screen.findByText(/^\+1 ?555/)
    await waitFor(() => expect(api.of('profile')).toHaveLength(1))
    const notice = () => screen.queryByText(/We couldn’t look up your plan just now/)
    if (noticed) await waitFor(() => expect(notice()).toBeTruthy())
    else expect(notice()).toBeNull()
  })

  test.each([
    [4.5, '25.5of 30 minutes'],
    [30.4, '0of 30 minutes'],
  ])('and %d minutes are used, then %s are left, never less than none', async (used_minutes, left) => {
    const { user, place } = open(adaWith({ ...ada.subscription, used_minutes }))
    const card = await screen.findByRole('region', { name: 'Minutes remaining' })
    expect(card.textContent).toContain(left)
    await user.click(within(card).getByRole('link'))
    await waitFor(() => expect(place()).toBe('/transcription-history'))
  })

  test('and the server tells that the profile has changed, then the new link code is shown', async () => {
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined
    const before = globalThis.fetch
    globalThis.fetch = (async () => ({
      ok: true,
      body: new ReadableStream<Uint8Array>({
        start(opened) {
          stream = opened
        },
      }),
    })) as unknown as typeof fetch
    try {
      const { api, unmount } = open(ada)
      expect(await screen.findByText('K7M2QX')).toBeTruthy()
      await waitFor(() => expect([stream !== undefined, api.of('profile').length > 0]).toEqual([true, true]))
      api.on({ profile: () => ok({ user: { ...ada, link_code: 'VX-NEWCODE2' } }) })
      stream?.enqueue(new TextEncoder().encode('event: profile\ndata: {}\n\n'))
      expect(await screen.findByText('VX-NEWCODE2')).toBeTruthy()
      unmount()
    } finally {
      globalThis.fetch = before
    }
  })

  test('when the number is linked, then it is shown, and nothing asks for the link code', async () => {
    open({ ...ada, linked: true })
    expect(await screen.findByText('Linked to you')).toBeTruthy()
    expect(await screen.findByText('+1 201 555 0123')).toBeTruthy()
    expect(screen.queryByText(/link code/)).toBeNull()
  })

  test('when another account has proved the number, then the page says so and links to the profile', async () => {
    open({ ...ada, wtp_number: '' })
    expect((await screen.findByRole('link', { name: 'Add your number' })).getAttribute('href')).toBe(
      '/update-profile',
    )
  })

  test('while the sandbox stands in for WhatsApp, then it says so, and its chat is opened', async () => {
    const chatUrl = 'http://localhost:8090/wa/15550104477?text={code}'
    open(ada, { config: () => ok({ ...config, sandbox: true, chatUrl }) })
    expect(await screen.findByText(/^This is the sandbox: everything stays on this machine/)).toBeTruthy()
    const link = await screen.findByRole('link', { name: /^Open in WhatsApp/ })
    expect(link.getAttribute('href')).toBe(
      'http://localhost:8090/wa/15550104477?text=K7M2QX&from=%2B12015550123',
    )
  })

  test('when a provider hears the notes, then the sandbox does not claim that they stay here', async () => {
    const speech = {
      engines: [{ name: 'openai', model: 'gpt-transcribe' }],
      languages: 'all' as const,
      speakers: false,
    }
    open(ada, { config: () => ok({ ...config, sandbox: true, speech }) })
    expect(
      await screen.findByText(/^This is the sandbox:.* recordings go to the speech service/),
    ).toBeTruthy()
  })

  test('when there are notes, then the number is one line, from which the rest opens', async () => {
    const { user } = open({ ...ada, linked: true }, { transcriptions: () => ok(pageOf([completed])) })
    const number = await screen.findByRole('region', { name: /^The WhatsApp number/ })
    expect(within(number).getByRole('link', { name: /^Open in WhatsApp/ })).toBeTruthy()
    const rest = within(number).getByRole('button', { name: 'QR code, steps and formats' })
    expect([rest.getAttribute('aria-expanded'), within(number).queryByRole('img')]).toEqual(['false', null])
    await user.click(rest)
    expect(within(number).getByRole('img', { name: /QR code/ })).toBeTruthy()
    expect(within(number).getByText('Linked to you')).toBeTruthy()
    expect(within(number).getAllByRole('link', { name: /^Open in WhatsApp/ })).toHaveLength(1)
  })

  test('then it invites to stay, and says nothing about notes while it does not know', async () => {
    const { handler, answer } = held()
    open(ada, { transcriptions: handler })
    expect(
      await screen.findByText('Keep this page open: a note appears here by itself, within seconds.'),
    ).toBeTruthy()
    expect(screen.queryByRole('region', { name: /^The WhatsApp number/ })).toBeNull()
    answer(ok(pageOf([])))
    expect(await screen.findByRole('region', { name: /^The WhatsApp number/ })).toBeTruthy()
  })

  test('when there are notes, then the latest stand above the guide', async () => {
    const { api } = open(ada, { transcriptions: () => ok(pageOf([completed])) })
    const latest = await screen.findByRole('region', { name: 'Latest notes' })
    expect(within(latest).getByRole('article', { name: completed.title }).textContent).toContain(
      completed.text,
    )
    const guide = await screen.findByRole('region', { name: /^The WhatsApp number/ })
    expect(latest.compareDocumentPosition(guide)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(api.of('transcriptions')[0]?.query).toEqual({ limit: 5 })
  })

  test('when there is only the sample, then it stands below the guide, which stays open', async () => {
    open(ada, { transcriptions: () => ok(pageOf([sample], { total: 0 })) })
    const latest = await screen.findByRole('region', { name: 'Latest notes' })
    within(latest).getByRole('button', { name: 'Remove the sample' })
    const guide = await screen.findByRole('region', { name: /^The WhatsApp number/ })
    expect(guide.compareDocumentPosition(latest)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(within(guide).getByRole('img', { name: /QR/ })).toBeTruthy()
  })

  test('when notes have open to-dos, then they stand there with their notes, and a press ticks one off', async () => {
    const todoOf = (n: number): Todo => ({
      ...{ transcriptionId: completed.id, n, text: `Errand ${n}`, due: null, done: false },
      ...{ title: completed.title, createdAt: completed.createdAt },
    })
    let todos = [1, 2, 3, 4, 5, 6].map(todoOf)
    const { api, user } = open(ada, {
      transcriptions: () => ok(pageOf([completed])),
      todos: () => ok({ todos }),
      tickTodo({ params: { n } }) {
        todos = todos.filter(todo => String(todo.n) !== n)
        return ok({ todo: { ...todoOf(Number(n)), done: true } })
      },
    })
    const card = await screen.findByRole('region', { name: 'To do' })
    const names = () =>
      within(card)
        .getAllByRole('checkbox')
        .map(box => box.parentElement!.textContent)
    expect(names()).toHaveLength(5)
    await user.click(within(card).getByRole('button', { name: 'Show all 6' }))
    expect(names()).toEqual(todos.map(({ text }) => text))
    expect(within(card).getAllByRole('link', { name: completed.title })[0]!.getAttribute('href')).toBe(
      `/transcriptions/${completed.id}`,
    )
    await user.click(within(card).getByRole('checkbox', { name: 'Errand 2' }))
    await waitFor(() => expect(names()).not.toContain('Errand 2'))
    expect(api.of('tickTodo')).toMatchObject([{ params: { n: '2' }, body: { done: true } }])
    todos = []
    await user.click(within(card).getByRole('checkbox', { name: 'Errand 1' }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'To do' })).toBeNull())
  })

  test('when the stored user is incomplete, then it waits for the profile instead of crashing', async () => {
    const { subscription: _, ...old } = ada
    open(old as User, { profile: () => ok({ user: ada }) })
    expect(await screen.findByText('Free plan')).toBeTruthy()
  })
})

test('when an answer lacks fields, then only the cards that need them fail', async () => {
  jest.spyOn(console, 'error').mockImplementation(() => {})
  const { chatUrl: _, speech: __, ...older } = config
  const answer = { ...pageOf([completed]), statistics: undefined }
  open(ada, { config: () => ok(older as typeof config), transcriptions: () => ok(answer as never) })
  const failed = await screen.findByText('This part couldn’t be shown.')
  expect(within(failed).getByRole('button', { name: 'Load again' })).toBeTruthy()
  expect(await screen.findByRole('article', { name: completed.title })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Choose files' })).toBeTruthy()
  jest.restoreAllMocks()
})

test('when the browser offers to install the app, then the dashboard says what for, and asks', async () => {
  keepInstallPrompt()
  const prompt = jest.fn(async () => {})
  const { user } = open(ada)
  await screen.findByText('Free plan')
  expect(screen.queryByRole('button', { name: 'Install app' })).toBeNull()
  fireEvent(window, Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }))
  expect((await screen.findByRole('region', { name: 'Share from WhatsApp' })).textContent).toMatch(
    /WhatsApp can share voice notes to it/,
  )
  await user.click(screen.getByRole('button', { name: 'Install app' }))
  expect(prompt).toHaveBeenCalledTimes(1)
  fireEvent(window, new Event('appinstalled'))
  expect(screen.queryByRole('button', { name: 'Install app' })).toBeNull()
})

describe('when WhatsApp can share to it', () => {
  const offer = () =>
    fireEvent(window, Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt() {} }))
  const tip = () => screen.queryByRole('region', { name: 'Share from WhatsApp' })
  beforeAll(keepInstallPrompt)
  afterEach(() => {
    fireEvent(window, new Event('appinstalled'))
    Reflect.deleteProperty(navigator, 'standalone')
  })

  test('and the person has read it, then it is not said again', async () => {
    const { user, unmount } = open(ada)
    await screen.findByText('Free plan')
    offer()
    await user.click(await screen.findByRole('button', { name: 'Don’t show this again' }))
    expect(tip()).toBeNull()
    unmount()
    open(ada)
    await screen.findByText('Free plan')
    expect(tip()).toBeNull()
  })

  test('and a payment has failed, then that is said alone', async () => {
    open(adaWith(pro), { subscriptionStatus: () => ok(statusOf(pro, true)) })
    await screen.findByText(/payment/i)
    offer()
    await waitFor(() => expect(tip()).toBeNull())
  })

  test('and it is an iPhone, then a shortcut does', async () => {
    Object.assign(navigator, { standalone: false })
    open(ada)
    const link = await screen.findByRole('link', { name: /How to make it/ })
    expect(link.getAttribute('href')).toBe('/docs/connect#a-shortcut-for-iphones')
    expect(screen.queryByRole('button', { name: 'Install app' })).toBeNull()
  })
})

test('when the tab becomes visible again, then the profile is loaded again and kept', async () => {
  const { api } = open(ada)
  await waitFor(() => expect(api.of('profile')).toHaveLength(1))
  await screen.findByText('Free plan')
  api.on({ profile: () => ok({ user: adaWith(pro) }), subscriptionStatus: () => ok(statusOf(pro)) })
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  expect(await screen.findByText('Pro Plan Active')).toBeTruthy()
  expect(api.of('profile')).toHaveLength(2)
  expect(storedUser().subscription.plan).toBe('monthly')
})

describe('when the plan is shown', () => {
  test('and it is free, then it can be upgraded', async () => {
    open(ada)
    expect(await screen.findByText('Free plan')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Upgrade to Pro' }).getAttribute('href')).toBe('/pricing')
    expect(screen.queryByRole('button', { name: 'Cancel Subscription' })).toBeNull()
  })
  test.each([
    [23.9, false],
    [24, true],
    [31, true],
  ])('and %d of 30 minutes are used, then the way to more is a button: %s', async (used_minutes, isLoud) => {
    open(adaWith({ ...ada.subscription, used_minutes }))
    const link = await screen.findByRole('link', { name: 'Upgrade to Pro' })
    expect(/\bbg-accent\b/.test(link.className)).toBe(isLoud)
  })
  test('and nothing is left, then that is said once', async () => {
    open(adaWith({ ...ada.subscription, used_minutes: 30 }))
    const card = await screen.findByRole('region', { name: 'Minutes remaining' })
    expect(card.textContent).toMatch(/0of 30 minutes.*Resets on/)
    await screen.findByRole('button', { name: 'Choose files' })
    expect(screen.queryByText(/minutes left|Nothing left/)).toBeNull()
  })
  test.each([
    ['monthly', 'active', 'Pro Plan Active', 'Cancel Subscription'],
    ['pro', 'active', 'Pro Plan Active', 'Cancel Subscription'],
    ['monthly', 'canceling', 'Pro Plan - Canceling', 'Reactivate'],
    ['monthly', 'canceled', 'Pro Plan - Canceling', 'Reactivate'],
  ])('and it is %s and %s, then the badge says %s and the button %s', async (plan, status, badge, button) => {
    open(adaWith({ ...pro, plan, status } as typeof pro))
    expect(await screen.findByText(badge)).toBeTruthy()
    expect(screen.getByRole('button', { name: button })).toBeTruthy()
    expect(Boolean(screen.queryByText(/^Your subscription has been scheduled/))).toBe(status !== 'active')
    expect(screen.queryByRole('link', { name: 'Upgrade to Pro' })).toBeNull()
  })
  describe('and a payment failed', () => {
    const updateCard = async (openPortal: FakeHandlers['openPortal']) => {
      const { user } = open(adaWith(pro), {
        subscriptionStatus: () => ok(statusOf(pro, true)),
        openPortal: openPortal!,
      })
      expect(await screen.findByText(/Your last payment didn’t go through/)).toBeTruthy()
      await user.click(screen.getByRole('button', { name: 'Update card' }))
    }
    test('then the card can be replaced on the page of the payment provider', async () => {
      await updateCard(() => ok({ url: '#portal' }))
      await waitFor(() => expect(window.location.hash).toBe('#portal'))
      window.location.hash = ''
    })
    test('and that page cannot be opened, then it is said and can be tried again', async () => {
      await updateCard(() => failure(503, 'Stripe is away'))
      expect((await screen.findByRole('alert')).textContent).toBe('Stripe is away')
      expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Update card' }).disabled).toBe(false)
    })
  })
})

describe('when the subscription is cancelled', () => {
  const ask = async (more: FakeHandlers) => {
    const opened = open(adaWith(pro), more)
    await opened.user.click(await screen.findByRole('button', { name: 'Cancel Subscription' }))
    return { ...opened, dialog: screen.getByRole('dialog') }
  }

  test('then it is asked first, and keeping it changes nothing', async () => {
    const { api, user, dialog } = await ask({})
    await user.click(within(dialog).getByRole('button', { name: 'Keep Pro' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(api.of('cancelSubscription')).toHaveLength(0)
  })

  test('and confirmed, then it is told for 3 seconds and the profile is loaded again', async () => {
    const { api, user, dialog } = await ask({ cancelSubscription: () => ok(statusOf(canceling)) })
    api.on({ profile: () => ok({ user: adaWith(canceling) }) })
    await user.click(within(dialog).getByRole('button', { name: 'Yes, cancel it' }))
    expect(await screen.findByText('Pro Plan - Canceling')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(getToasts()).toMatchObject([
      {
        type: 'success',
        duration: 3000,
        message:
          'Your subscription has been scheduled for cancellation at the end of the current billing period. You will continue to have access to Pro features until then.',
      },
    ])
    expect(storedUser().subscription.status).toBe('canceling')
  })

  test('and the profile takes long to come again, then the dialog does not wait for it', async () => {
    const { api, user, dialog } = await ask({ cancelSubscription: () => ok(statusOf(canceling)) })
    const { handler, answer } = held()
    api.on({ profile: handler })
    await user.click(within(dialog).getByRole('button', { name: 'Yes, cancel it' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(getToasts()).toHaveLength(1)
    answer(ok<'profile'>({ user: adaWith(canceling) }))
    expect(await screen.findByText('Pro Plan - Canceling')).toBeTruthy()
  })
})

describe('when the subscription is reactivated', () => {
  test('then it is told and the badge follows', async () => {
    const { api, user } = open(adaWith(canceling), { reactivateSubscription: () => ok(statusOf(pro)) })
    const button = await screen.findByRole('button', { name: 'Reactivate' })
    api.on({ profile: () => ok({ user: adaWith(pro) }) })
    await user.click(button)
    expect(await screen.findByText('Pro Plan Active')).toBeTruthy()
    expect(getToasts()).toMatchObject([
      { type: 'success', duration: 3000, message: 'Your subscription has been reactivated successfully!' },
    ])
  })
})

test.each([
  ['Cancel Subscription', pro, 'Failed to cancel subscription'],
  ['Reactivate', canceling, 'Failed to reactivate subscription'],
])('when %s is refused without a word, then the screen has the words', async (name, plan, message) => {
  const refused = () => failure(200)
  const { user } = open(adaWith(plan), { cancelSubscription: refused, reactivateSubscription: refused })
  await user.click(await screen.findByRole('button', { name }))
  if (plan === pro) await user.click(screen.getByRole('button', { name: 'Yes, cancel it' }))
  await waitFor(() => expect(getToasts()).toMatchObject([{ type: 'error', duration: 3000, message }]))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.getByRole('button', { name })).toBeTruthy()
})
