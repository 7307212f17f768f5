import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import axios from 'axios'
import { eventually } from './testing/eventually.ts'
import { startOneProcess } from './testing/one-process.ts'
import { type Person, signUp } from './testing/person.ts'
import { ROOT, type System } from './testing/system.ts'

/** Runs `npm run admin` without npm. */
async function admin(system: System, ...args: string[]) {
  const env = { ...process.env, MANAGEMENT_URL: new URL(system.ingestionMetricsUrls[0]).origin }
  const run = promisify(execFile)(process.execPath, ['deploy/image/admin.ts', ...args], { cwd: ROOT, env })
  run.child.stdin?.end()
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, text: (stdout + stderr) as string }),
  )
}

describe('npm run admin', () => {
  let system: System
  let ada: Person
  beforeAll(async () => {
    system = await startOneProcess()
    ada = await signUp(system)
  })
  afterAll(() => system?.stop())

  test('when the page’s address is requested, then it opens in a browser, with figures and without personal data', async () => {
    const { code, text } = await admin(system)
    expect(code).toBe(0)
    const [address = ''] = /http\S+\/admin\?token=\S+/.exec(text)!
    const { data: html, status } = await axios.get<string>(address)
    expect(status).toBe(200)
    for (const section of ['People', 'Notes', 'Queue', 'Errors', 'Disk', 'Health', 'This process'])
      expect(html).toContain(`<h2>${section}</h2>`)
    expect(html).toMatch(/accounts<\/th><td>[1-9]/)
    for (const theirs of [ada.email, ada.number, ada.user.id, ada.user.last_name])
      expect(html).not.toContain(theirs)
  })

  test('when a person writes to support, then their account, minutes and notes are found, without their words', async () => {
    const form = new FormData()
    form.append('file', new Blob([Buffer.alloc(0)]), 'secret plans.ogg')
    const wav = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WAVEfmt '), Buffer.alloc(8_000)])
    form.set('file', new Blob([wav]), 'secret plans.wav')
    await ada.http.post('/transcriptions', form)
    await ada.ended(1)
    const found = await admin(system, 'find', ada.number)
    expect(found).toMatchObject({ code: 0, text: expect.stringContaining(ada.email) })
    expect(found.text).toMatch(/^plan +free, active$/m)
    expect(found.text).toMatch(/^blocked +-$/m)
    const { code, text } = await admin(system, 'usage', ada.email, '--json')
    expect(code).toBe(0)
    const usage = JSON.parse(text)
    expect(usage).toMatchObject({ plan: 'free', usedMinutes: 0, days: expect.any(Array) })
    expect(usage.days[0].notes).toBe(1)
    expect(usage.last).toEqual([expect.objectContaining({ status: 'failed', source: 'web' })])
    expect(text).not.toContain('secret plans')
  })

  test('when an account is blocked and unblocked, then the person is signed out, and can sign in again', async () => {
    expect(await admin(system, 'block', ada.email)).toMatchObject({ code: 2 })
    const reason = ['--reason', 'asked for by phone', '--by', 'Grace']
    expect(await admin(system, 'block', ada.email, ...reason)).toMatchObject({ code: 0 })
    const signIn = () => ada.open.post('/auth/login', { email: ada.email, password: ada.password })
    expect((await signIn()).status).toBe(403)
    const reads = ['/users/profile', '/transcriptions', '/stripe/usage', '/hooks']
    await eventually('every service refuses the tokens', async () => {
      const answers = await Promise.all(reads.map(path => ada.http.get(path)))
      return answers.every(({ status }) => status === 401)
    })
    expect((await admin(system, 'find', ada.email)).text).toContain('asked for by phone')
    expect(await admin(system, 'unblock', ada.email)).toMatchObject({ code: 0 })
    expect((await signIn()).status).toBe(200)
  })

  test.each([
    ['an unknown person', ['find', 'nobody@example.com'], 3, /no such account/],
    ['an unknown word', ['destroy', 'x'], 2, /npm run admin -- find/],
    ['nobody', ['find'], 2, /npm run admin -- find/],
    ['an unknown option', ['find', 'x', '--all'], 2, /--all/],
    ['an invitation that nobody needs', ['invite', 'x@example.com'], 1, /SIGN_UP=invited/],
  ])('when it is asked for %s, then it says so', async (_, args, code, message) => {
    expect(await admin(system, ...args)).toMatchObject({ code, text: expect.stringMatching(message) })
  })

  test('when an operator’s call goes to the public port, then it is unknown there', async () => {
    const body = { by: 'mallory', who: ada.email, reason: 'spite' }
    for (const path of [
      '/admin/auth/block',
      '//admin/auth/block',
      '/api/admin/auth/block',
      '/%61dmin/auth/find',
    ])
      expect((await axios.post(`${system.appUrl}${path}`, body, { validateStatus: () => true })).status).toBe(
        path.startsWith('//') ? 400 : 404,
      )
    expect((await admin(system, 'find', ada.email)).text).toMatch(/^blocked +-$/m)
  })

  test('when an account is to be erased, then only after its address was typed', async () => {
    const reason = ['--reason', 'asked by letter']
    expect(await admin(system, 'erase', ada.email, ...reason)).toMatchObject({ code: 1 })
    expect(await admin(system, 'find', ada.email)).toMatchObject({ code: 0 })
    expect(await admin(system, 'erase', ada.email, ...reason, '--yes')).toMatchObject({ code: 0 })
    expect(await admin(system, 'find', ada.email)).toMatchObject({ code: 3 })
  })
})

test('when accounts need an invitation, then the operator’s link opens the first one', async () => {
  const system = await startOneProcess({ SIGN_UP: 'invited' })
  try {
    const { code, text } = await admin(system, 'invite', 'grace@example.com')
    expect(code).toBe(0)
    const [link] = /http\S+\/signup\?invite=\S+/.exec(text)!
    const open = axios.create({ baseURL: `${system.appUrl}/api`, validateStatus: () => true })
    expect((await open.get('/config')).data.data.signIn).toMatchObject({ signUp: 'invited' })
    const grace = {
      first_name: 'Grace',
      last_name: 'Hopper',
      email: 'grace@example.com',
      wtp_number: '2025550199',
      password: 'correct horse battery',
      country_id: '840',
    }
    expect((await open.post('/auth/register', grace)).data.code).toBe('sign_up_invited')
    const invite = new URL(link).searchParams.get('invite')
    expect((await open.post('/auth/register', { ...grace, invite })).status).toBe(201)
  } finally {
    await system.stop()
  }
})
