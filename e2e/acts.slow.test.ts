import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import { PHONE, screenshot, settled, signIn, useBrowser } from './testing/browser.ts'
import { startCountingEngine } from './testing/counting-engine.ts'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { newNumber, type Person, signUp } from './testing/person.ts'
import { recordingAs, voiceNote } from './testing/speech.ts'
import { startTextModel } from './testing/text-model.ts'

const SAID = 'It was the season of light.'
const NEW_PASSWORD = 'correct horse staple'
/** More Tab stops than any page has before its main part. */
const MOST_STOPS = 60

describe('frequent tasks', () => {
  let engine: Awaited<ReturnType<typeof startCountingEngine>>
  let model: Awaited<ReturnType<typeof startTextModel>>
  const { system, open, forgive } = useBrowser(async () => {
    engine = await startCountingEngine(0, SAID)
    model = await startTextModel()
    return startOneProcess({ ...engine.settings, ...model.settings })
  })
  afterAll(() => Promise.all([engine?.stop(), model?.stop()]))

  let page: Page
  let devtools: CDPSession
  let person: Person
  async function begin(options: BrowserContextOptions = {}) {
    page = await open(options)
    devtools = await page.context().newCDPSession(page)
    person = await signUp(system())
  }
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const transcript = () => page.getByRole('region', { name: 'Transcript', exact: true })

  /** Returns the focused element's accessible role and name, and whether its focus ring is visible. */
  async function focus() {
    const { result } = await devtools.send('Runtime.evaluate', { expression: 'document.activeElement' })
    const { nodes } = await devtools.send('Accessibility.getPartialAXTree', {
      objectId: result.objectId!,
      fetchRelatives: false,
    })
    const seen = await page.evaluate(() => {
      const focused = document.activeElement!
      // Some controls are hidden, and their label is drawn instead.
      const element =
        focused.getBoundingClientRect().width > 1 ? focused : (focused.closest('label') ?? focused)
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      const { left, right, top, bottom } = element.getBoundingClientRect()
      // A sticky element may cover a part of it.
      const isAt = (x: number, y: number) => element.contains(document.elementFromPoint(x, y))
      const heights = [0.1, 0.5, 0.9].map(share => top + (bottom - top) * share)
      return {
        hasRing: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
        isInSight: heights.some(y => isAt(left + 4, y) || isAt((left + right) / 2, y)),
      }
    })
    return { role: String(nodes[0]?.role?.value), name: String(nodes[0]?.name?.value), ...seen }
  }

  /** Tabs to a control. Each stop on the way must have a name and be visible. */
  async function tabTo(role: string, name: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') {
    const passed: string[] = []
    while (passed.length < MOST_STOPS) {
      await page.keyboard.press(key)
      const stop = await focus()
      const words = `${stop.role} ${stop.name}`
      passed.push(words)
      const sight = { hasRing: stop.hasRing, isInSight: stop.isInSight, isNamed: stop.name !== '' }
      expect([words, sight]).toEqual([words, { hasRing: true, isInSight: true, isNamed: true }])
      if (stop.role === role && (name instanceof RegExp ? name.test(stop.name) : stop.name === name)) return
    }
    throw new Error(`Tab does not lead to ${role} ${name}, but to ${passed.join('; ')}`)
  }
  const press = (key: string) => page.keyboard.press(key)

  /** Checks the reading order: the page has one main heading, and these parts follow in this order. */
  async function isReadAs(...parts: string[]) {
    await settled(page)
    const read = await page.locator('body').ariaSnapshot()
    let at = 0
    for (const part of parts) {
      const next = read.indexOf(part, at)
      if (next < 0) throw new Error(`“${part}” does not follow in\n${read}`)
      at = next + part.length
    }
    const levels = [...read.matchAll(/heading .*\[level=(\d)\]/g)].map(([, level]) => Number(level))
    expect(levels.filter(level => level === 1)).toHaveLength(1)
    const skipped = levels.filter((level, index) => level > (levels[index - 1] ?? level) + 1)
    expect([skipped, read]).toEqual([[], read])
    expect(await page.locator('[tabindex]:not([tabindex="0"], [tabindex="-1"])').count()).toBe(0)
  }

  test('when a person uses only the keyboard, then they can send, correct and find notes, in reading order', async () => {
    await begin()
    await person.upload(await recordingAs('other.wav'))
    await person.ended(1)

    await page.goto('/signin')
    await isReadAs('banner', 'main', 'heading "Sign In" [level=1]', 'textbox "Email"', 'textbox "Password"')
    await tabTo('link', 'Skip to content')
    await press('Enter')
    await tabTo('textbox', 'Email')
    await page.keyboard.type(person.email)
    await tabTo('textbox', 'Password')
    await page.keyboard.type(person.password)
    await press('Enter')
    await page.waitForURL('**/dashboard')
    await settled(page)
    expect(await focus()).toMatchObject({ role: 'heading', name: 'Hello, Ada' })

    await tabTo('link', 'Transcriptions', 'Shift+Tab')
    await press('Enter')
    await page.getByRole('heading', { name: 'Transcription history' }).waitFor()
    await isReadAs(
      'banner',
      'main',
      '[level=1]',
      'button "Choose files"',
      'searchbox',
      'article',
      'contentinfo',
    )
    // Registered before tabbing there: a key press doesn't wait until the browser expects a file chooser.
    const choosing = page.waitForEvent('filechooser')
    await tabTo('button', 'Choose files')
    await press('Enter')
    await (await choosing).setFiles(await voiceNote('sent.ogg'))
    await page.getByText('1 of 1 file transcribed').waitFor()
    await page.getByRole('article').nth(1).waitFor()
    expect(await focus()).toMatchObject({ role: 'button', name: 'Choose files' })
    await tabTo('link', 'sent.ogg')
    await press('Enter')

    await transcript().waitFor()
    await isReadAs(
      'main',
      'link "All transcriptions"',
      'heading "sent.ogg" [level=1]',
      'region "Player"',
      'button "Correct the text"',
      'region "Transcript"',
    )
    expect(await focus()).toMatchObject({ role: 'heading', name: 'sent.ogg' })
    await tabTo('button', 'Play')
    await press('Space')
    await button('Pause').waitFor()
    await press('Space')
    await button(/^Play$/).waitFor()
    await tabTo('button', 'Correct the text')
    await press('Enter')
    expect(await focus()).toMatchObject({ role: 'button', name: 'Done' })
    await tabTo('textbox', /^Text at /)
    await press('ControlOrMeta+End')
    await page.keyboard.type(' As heard by Ben.')
    await press('Enter')
    await page.getByText('Saved', { exact: true }).waitFor()
    await tabTo('button', 'Done', 'Shift+Tab')
    await press('Enter')
    await transcript().getByText('As heard by Ben.').waitFor()

    await tabTo('link', 'All transcriptions', 'Shift+Tab')
    await press('Enter')
    await page.getByRole('article').nth(1).waitFor()
    await press('/')
    expect(await focus()).toMatchObject({ role: 'searchbox', name: 'Search' })
    await page.keyboard.type('heard ben')
    await page.waitForFunction(() => document.querySelectorAll('article').length === 1)
    await tabTo('link', 'sent.ogg')
    await press('Enter')
    await page.locator('mark', { hasText: 'Ben' }).waitFor()
    await isReadAs('main', 'heading "sent.ogg" [level=1]', 'searchbox', 'region "Transcript"')
  })

  test('when the network is lost during each task, then nothing that was done is lost', async () => {
    await begin({ viewport: PHONE })
    await person.upload(await voiceNote('read.ogg'))
    await person.ended(1)
    const offline = (is: boolean) => page.context().setOffline(is)

    await page.goto('/signin')
    await settled(page)
    await offline(true)
    await signIn(page, person)
    await page.getByText(/^Network error\./).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(person.email)
    await screenshot(page, 'offline-sign-in')
    await offline(false)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL('**/dashboard')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))

    await page.goto('/transcription-history')
    await page.getByRole('link', { name: 'read.ogg' }).click()
    await transcript().waitFor()
    await settled(page)
    await page.getByRole('link', { name: 'All transcriptions' }).click()
    await page.getByRole('article').waitFor()

    await offline(true)
    await page.getByLabel('Audio or video files').setInputFiles(await recordingAs('waits.wav'))
    await page.getByText(/^(No connection\. It will be sent|Waiting its turn)/).waitFor()
    await page.getByText(/^You’re offline/).waitFor()
    await screenshot(page, 'offline-sending')
    await page.getByRole('link', { name: 'read.ogg' }).click()
    await button('Correct the text').click()
    await page.getByLabel(/^Text at /).fill('Corrected on the train.')
    await page.getByLabel(/^Text at /).blur()
    await page.getByText(/^(Saving…|Not saved)/).waitFor()
    await screenshot(page, 'offline-correcting')
    await page.getByRole('link', { name: 'All transcriptions' }).click()
    await page.getByRole('article').waitFor()
    await page.getByRole('searchbox').fill('train')
    await screenshot(page, 'offline-searching')

    await offline(false)
    await page.getByText('1 of 1 file transcribed').waitFor()
    await page.getByRole('article').getByRole('link', { name: 'read.ogg' }).click()
    await transcript().getByText('Corrected on the train.').waitFor()
    expect((await person.transcriptions()).statistics.total).toBe(2)
    forgive()
  })

  interface Lost {
    path: string
    /** Prepares the task before the page is opened. */
    before?: () => Promise<unknown>
    /** Waits for the page's data before the connection is cut. */
    ready?: () => Promise<unknown>
    /** Acts until the call is sent. */
    go(): Promise<unknown>
    /** Retries; default: `go`. Null: the page retries by itself. `isDone`: only the response was lost. */
    again?: ((isDone: boolean) => Promise<unknown>) | null
    says?: RegExp
    /** Checks that what was entered is still on the page. */
    keeps?: () => Promise<unknown>
    done(isDone: boolean): Promise<unknown>
  }
  const more = async (name: string | RegExp) => {
    await button('More actions').click()
    await button(name).last().click()
  }
  const opens = (row: string) => page.locator('summary', { hasText: row }).click()
  const saves = (act: () => Promise<unknown>) => Promise.all([page.waitForEvent('download'), act()])
  const noteNow = async () => (await person.transcriptions()).transcriptions[0]!
  const presses = (name: string) => () =>
    page.getByRole('main').getByRole('button', { name, exact: true }).last().click()
  const field = (name: string) => page.getByLabel(name, { exact: true }).and(page.locator(':not(section)'))
  const said = (words: string | RegExp) => page.getByText(words).filter({ visible: true }).first().waitFor()
  const isIn = (name: string, words: string) => async () => expect(await field(name).inputValue()).toBe(words)
  const confirms = (name: string) =>
    page.locator('dialog[open]').getByRole('button', { name, exact: true }).click()
  const got = async (path: string) => (await person.http.get(path)).data.data
  /** Retries after the first try has signed the person out; the sign-in page must say why. */
  async function leadsToSignIn(act: () => Promise<unknown>, told: RegExp) {
    await act().catch(() => {})
    await page.waitForURL('**/signin')
    await said(told)
  }
  const PASSWORD_UNSURE = /No answer came, so your password may be changed/
  const ACCOUNT_UNSURE = /No answer came, so your account may be deleted/
  /** Tasks whose calls are cut off, and the expected state after the retry. */
  const LOST: Record<string, Lost> = {
    'give a title': {
      path: 'note',
      go: async () => {
        await more('Rename')
        await page.keyboard.type('On the train')
        await page.keyboard.press('Enter')
      },
      again: null,
      says: /^(Saving…|Not saved: Network error\.)/,
      keeps: () => page.getByRole('heading', { name: 'On the train' }).waitFor(),
      done: () => eventually('it has the title', async () => (await noteNow()).title === 'On the train'),
    },
    'add two tags': {
      path: 'note',
      go: async () => {
        await opens('Tags')
        for (const tag of ['obra', 'casa']) {
          await button('+ Tag').click()
          await page.keyboard.type(tag)
          await page.keyboard.press('Enter')
        }
      },
      again: null,
      says: /^(Saving…|Not saved: Network error\.)/,
      keeps: () => said('#casa'),
      done: () => eventually('it has both', async () => (await noteNow()).tags?.join() === 'obra,casa'),
    },
    'share it': {
      path: 'note',
      go: () => more('Share').then(presses('Make a link')),
      again: presses('Make a link'),
      done: () => button('Copy link').or(button('Copied')).first().waitFor(),
    },
    'save it as a text': {
      path: 'note',
      go: () => more('Download').then(presses('Text (TXT)')),
      again: () => saves(() => more('Download').then(presses('Text (TXT)'))),
      done: async () => {},
    },
    'quote it': {
      path: 'note',
      go: () => more('Quote').then(presses('Quote')),
      again: () => saves(presses('Quote')),
      done: async () => {},
    },
    'transcribe it again': {
      path: 'note',
      async go() {
        await opens('What happened')
        await opens('Language')
        await presses('Transcribe again')()
        await confirms('Transcribe again')
      },
      // The page learns by itself that the work has started, and closes the dialog.
      again: async isDone => isDone || presses('Transcribe again')().then(() => confirms('Transcribe again')),
      done: () => said(/^You asked for it/),
    },
    'change a name': {
      path: '/update-profile',
      go: () => field('First name').fill('Augusta').then(presses('Update Profile')),
      again: presses('Update Profile'),
      done: () => said(/updated/i),
    },
    'keep own words': {
      path: '/words',
      go: () => field('One a line').fill('Vilnius').then(presses('Save')),
      again: presses('Save'),
      done: () => said('Your words are saved. They count for texts from now on.'),
    },
    'make a key': {
      path: '/programs',
      go: async () => {
        await field('Name').fill('A program')
        await page.getByRole('region', { name: 'New key' }).getByRole('checkbox').first().check()
        await presses('Create key')()
      },
      again: presses('Create key'),
      // The first key's secret was lost with the response; it is listed, so it can be revoked.
      async done(isDone) {
        await said(/^Your key is ready/)
        expect((await got('/keys')).keys).toHaveLength(isDone ? 2 : 1)
        await eventually('all are listed', async () => (await button('Revoke').count()) === (isDone ? 2 : 1))
      },
    },
    'make a hook': {
      path: '/programs',
      go: async () => {
        await field('Address').fill('https://example.com/hook')
        await page.getByRole('region', { name: 'New hook' }).getByRole('checkbox').first().check()
        await presses('Create hook')()
      },
      again: presses('Create hook'),
      async done(isDone) {
        await said('https://example.com/hook')
        const hooks = async () => (await got('/hooks')).hooks.length
        await eventually('the hooks are there', async () => (await hooks()) === (isDone ? 2 : 1))
      },
    },
    'download everything': {
      path: '/security',
      go: presses('Download everything'),
      done: async () => {},
    },
    'write to support': {
      path: '/contact',
      go: async () => {
        await field('Name').fill('Ada')
        await field('Email').fill(person.email)
        await field('Subject').selectOption({ index: 1 })
        await page.locator('textarea').fill('It is about a note.')
        await presses('Send message')()
      },
      again: presses('Send message'),
      keeps: async () => expect(await page.locator('textarea').inputValue()).toMatch(/^It is about/),
      async done() {
        await said(/^Message sent successfully!/)
        expect(await page.locator('textarea').inputValue()).toBe('')
      },
    },
    pay: {
      path: '/pricing',
      go: presses('Subscribe Now'),
      again: async () => {
        await presses('OK')()
        await presses('Subscribe Now')()
      },
      says: /^An error occurred: Network error\./,
      done: () => page.waitForURL('**/stripe/pay/**'),
    },
    'ask for a new password': {
      path: '/forgot-password',
      go: () => field('Email').fill(person.email).then(presses('Send reset link')),
      again: presses('Send reset link'),
      done: () => page.getByRole('heading', { name: 'Password Reset Email Sent' }).waitFor(),
    },
    'sum it up': {
      path: 'note',
      go: () => opens('Summary').then(presses('Summarize')),
      // The page shows the result by itself.
      again: async isDone => isDone || presses('Summarize')(),
      done: () =>
        page
          .locator('details', { hasText: 'Summary' })
          .getByText(/^About:/)
          .filter({ visible: true })
          .waitFor(),
    },
    'translate it': {
      path: 'note',
      go: () => more('Translate').then(() => field('Translation').selectOption({ label: 'Spanish' })),
      done: () => transcript().getByText(/^ES /).first().waitFor(),
    },
    'hear it in the list': {
      path: '/transcription-history',
      go: () => button(/^Play/).first().click(),
      done: () =>
        button(/^Pause/)
          .first()
          .waitFor(),
    },
    'restore its text': {
      path: 'note',
      async before() {
        const { id } = await noteNow()
        const { segments } = (await got(`/transcriptions/${id}`)).transcription
        await person.http.patch(`/transcriptions/${id}`, {
          segments: [{ id: segments[0].id, text: 'Corrected.' }],
        })
      },
      go: () => more('Restore original').then(() => confirms('Restore it')),
      again: null,
      says: /^(Saving…|Not saved: Network error\.)/,
      done: () => transcript().getByText(SAID).first().waitFor(),
    },
    'change the password': {
      path: '/security',
      go: async () => {
        await field('Current password').fill(person.password)
        await field('New password').fill(NEW_PASSWORD)
        await field('Confirm new password').fill(NEW_PASSWORD)
        await presses('Change password')()
      },
      says: PASSWORD_UNSURE,
      keeps: isIn('New password', NEW_PASSWORD),
      async again(isDone) {
        if (!isDone) return presses('Change password')()
        await leadsToSignIn(presses('Change password'), PASSWORD_UNSURE)
        await signIn(page, { ...person, password: NEW_PASSWORD })
      },
      done: isDone =>
        isDone
          ? page.getByRole('heading', { name: 'Security and data' }).waitFor()
          : said(/^Your password has been/),
    },
    'delete the account': {
      path: '/security',
      go: async () => {
        await field('Password').fill(NEW_PASSWORD)
        await presses('Delete my account')()
        await confirms('Delete everything')
      },
      says: ACCOUNT_UNSURE,
      keeps: isIn('Password', NEW_PASSWORD),
      async again(isDone) {
        const sends = () => presses('Delete my account')().then(() => confirms('Delete everything'))
        await (isDone ? leadsToSignIn(sends, ACCOUNT_UNSURE) : sends())
      },
      async done() {
        await page.waitForURL(/\/(signin)?$/)
        const login = await person.open.post('/auth/login', { email: person.email, password: NEW_PASSWORD })
        expect(login.status).toBe(401)
      },
    },
    'sign up': {
      path: '/signup',
      ready: () =>
        page.waitForFunction(() => document.querySelector<HTMLInputElement>('main [role=combobox]')?.value),
      go: async () => {
        await field('First name').fill('Ada')
        await field('Last name').fill('Lovelace')
        await field('Email').fill(person.email)
        await field('WhatsApp number').fill(newNumber())
        await field('Password').fill(NEW_PASSWORD)
        await field('Confirm password').fill(NEW_PASSWORD)
        await presses('Continue to Free Trial')()
      },
      again: presses('Continue to Free Trial'),
      keeps: isIn('Confirm password', NEW_PASSWORD),
      done: () => page.waitForURL('**/dashboard'),
    },
  }

  test.each([
    ['there is no connection', false],
    ['the answer is lost', true],
  ])('when %s, then each act says so, keeps what was typed, and works after', async (_, isDone) => {
    await begin({ serviceWorkers: 'block' })
    await person.upload(await voiceNote('lost.ogg'))
    const [note] = await person.ended(1)
    await page.goto('/signin')
    await signIn(page, person)
    await page.waitForURL('**/dashboard')
    let isLost = false
    await page.route('**/api/**', async route => {
      if (!isLost || /\/events$/.test(route.request().url())) return route.fallback()
      if (isDone) await route.fetch().catch(() => {})
      await route.abort(isDone ? 'connectionreset' : 'internetdisconnected')
    })
    const wrong: string[] = []
    for (const [
      act,
      { path, before, ready, go, again = go, says = /Network error\./, keeps, done },
    ] of Object.entries(LOST)) {
      try {
        await before?.()
        await page.goto(path === 'note' ? `/transcriptions/${note?.id}` : path)
        await settled(page)
        await ready?.()
        isLost = true
        await page.context().setOffline(!isDone)
        await go()
        await said(says)
        await keeps?.()
        await page.context().setOffline(false)
        isLost = false
        await again?.(isDone)
        await done(isDone)
      } catch (error) {
        wrong.push(`${act}: ${error} on ${await page.locator('body').ariaSnapshot()}`)
        await screenshot(page, `lost-${act.replaceAll(' ', '-')}`)
      } finally {
        await page.context().setOffline(false)
        isLost = false
      }
    }
    expect(wrong).toEqual([])
    forgive()
  })

  const hasPlayed = () =>
    /0:0[1-9] \//.test(document.querySelector('section[aria-label=Player]')?.textContent ?? '')

  /** Frequent tasks on a phone, with their taps, each starting where the previous one ended. Typing is free. */
  const ACTS: [
    act: string,
    taps: number,
    go: (tap: (name: string | RegExp) => Promise<void>) => Promise<unknown>,
  ][] = [
    [
      'sign in',
      1,
      async tap => {
        await page.getByLabel('Email').fill(person.email)
        await page.getByLabel('Password', { exact: true }).fill(person.password)
        await tap('Sign In')
        await page.waitForURL('**/dashboard')
      },
    ],
    [
      'send a file',
      1,
      async tap => {
        const choosing = page.waitForEvent('filechooser')
        await tap('Choose files')
        await (await choosing).setFiles(await voiceNote('tapped.ogg'))
        await page.getByText('1 of 1 file transcribed').waitFor()
      },
    ],
    [
      'record a note and send it',
      3,
      async tap => {
        await tap('Record')
        await page.getByText(/^Recording 0:(0[2-9]|[1-5])/).waitFor()
        await tap('Stop')
        await tap('Send')
        await page.getByText('2 of 2 files transcribed').waitFor()
      },
    ],
    [
      'read the newest note',
      1,
      tap => tap(/^(Recording |It was|Ben said)/).then(() => transcript().waitFor()),
    ],
    // Waits for its second second: on a slow machine it may have ended before a check for playing audio.
    ['hear it', 1, tap => tap('Play').then(() => page.waitForFunction(hasPlayed))],
    ['copy its text', 1, tap => tap('Copy').then(() => page.getByText('Copied').first().waitFor())],
    [
      'correct a passage',
      3,
      async tap => {
        await tap('Correct the text')
        await tap(/^Text at /)
        await press('ControlOrMeta+Home')
        await page.keyboard.type('Ben said: ')
        await tap('Done')
        await page.getByText('Saved', { exact: true }).waitFor()
      },
    ],
    [
      'download it as a PDF',
      3,
      async tap => {
        const saving = page.waitForEvent('download')
        await tap('More actions')
        await tap('Download')
        await tap(/PDF/)
        await saving
      },
    ],
    [
      'share it by a link, which is copied',
      2,
      async tap => {
        await tap('Share')
        await tap('Make a link')
        await button('Copied').or(button('Copy link')).first().waitFor()
      },
    ],
    [
      'find it among others and open it',
      4,
      async tap => {
        await tap('Close')
        await tap('All transcriptions')
        await tap('Search')
        await page.keyboard.type('Ben said')
        await page.waitForFunction(() => document.querySelectorAll('article').length === 1)
        await tap(/^(Recording |It was|Ben said)/)
        await transcript().waitFor()
      },
    ],
  ]

  test('when each task is done on a phone, then it takes no more taps than listed', async () => {
    await begin({ viewport: PHONE, hasTouch: true, permissions: ['microphone', 'clipboard-write'] })
    await page.goto('/signin')
    await settled(page)
    const took: { act: string; taps: number; seconds: number }[] = []
    for (const [act, , go] of ACTS) {
      let taps = 0
      const began = performance.now()
      await go(async name => {
        const named = ['button', 'link', 'textbox', 'searchbox'].map(role =>
          page.getByRole(role as 'button', { name, exact: true }),
        )
        const target = named.reduce((any, one) => any.or(one)).first()
        await target.tap()
        taps += 1
      })
      took.push({ act, taps, seconds: Math.round((performance.now() - began) / 100) / 10 })
    }
    if (process.env.E2E_SCREENSHOTS === 'on') console.table(took)
    expect(took.map(({ act, taps }) => [act, taps])).toEqual(ACTS.map(([act, taps]) => [act, taps]))
  })
})
