import { createPublicKey } from 'node:crypto'
import { keyId } from '@voxscribe/service'
import { testKeys } from '@voxscribe/service/testing'
import jsonwebtoken from 'jsonwebtoken'
import { areAlike, authForAll, newPerson } from '../testing.ts'

const auth = authForAll()

test('when e-mail address and password are right, then the person is signed in', async () => {
  const { person, user } = await auth.signedUp()
  const { status, body } = await auth.login(` ${person.email.toUpperCase()}`, person.password)
  expect(status).toBe(200)
  expect(body.data).toEqual({ user, accessToken: expect.any(String), refreshToken: expect.any(String) })
})

test('when the password is wrong or there is no such account, then the answer is the same', async () => {
  const { person } = await auth.signedUp()
  const wrong = await auth.login(person.email, 'wrong')
  const unknown = await auth.login('nobody@example.com', 'wrong')
  expect(wrong.status).toBe(401)
  expect(wrong.body).toEqual({
    success: false,
    message: 'Invalid email or password',
    code: 'invalid_credentials',
  })
  expect([unknown.status, unknown.body]).toEqual([401, wrong.body])
})

test('when there is no such account, then the answer takes as long as for a wrong password', async () => {
  const { person } = await auth.signedUp()
  const wrong = (email: string) => auth.login(email, 'wrong password')
  // Without the comparison with a dummy hash, responses for unknown addresses would take a fraction of the time.
  const alike = areAlike(
    1.5,
    () => wrong(person.email),
    () => wrong('nobody@example.com'),
  )
  expect(await alike).toBe(true)
})

test('when a password is stored, then only its hash is, made as OWASP recommends', async () => {
  const { person, user } = await auth.signedUp()
  const stored = await auth.storedUser(user.id)
  expect(stored?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(JSON.stringify(stored)).not.toContain(person.password)
})

describe('when a password has letters or spaces that keyboards write differently', () => {
  // The first pair is composed and decomposed, the second has a no-break space.
  const ways: [string, string][] = [
    ['Schl\u00fcssel f\u00fcr \u00c4rger 1', 'Schlu\u0308ssel fu\u0308r A\u0308rger 1'],
    ['correct horse', 'correct\u00a0horse'],
  ]
  test.each([...ways, ...ways.map(pair => pair.toReversed())])(
    'then %j is %j wherever a password is asked for or chosen',
    async (chosen, typed) => {
      const { person } = await auth.signedUp({ ...newPerson(), password: chosen! })
      const { body } = await auth.login(person.email, typed!)
      expect(body.message).toBe('Signed in')
      const next = { password: typed, newPassword: `${chosen} 2` }
      const changed = await auth.post('/users/change-password', next, body.data.accessToken)
      expect(changed.status).toBe(200)
      expect((await auth.login(person.email, `${typed} 2`)).status).toBe(200)
      await auth.reset(await auth.resetToken(person.email), `${typed} 3`)
      const last = await auth.login(person.email, `${chosen} 3`)
      expect(last.status).toBe(200)
      expect((await auth.erase(`${typed} 3`, last.body.data.accessToken)).status).toBe(200)
    },
  )
})

test('when a token is issued, then it names its key, its account and generation, for 15 minutes', async () => {
  const { user, accessToken } = await auth.signedUp()
  const token = jsonwebtoken.decode(accessToken, { complete: true })
  expect(token?.header).toEqual({ alg: 'ES256', typ: 'JWT', kid: keyId(createPublicKey(testKeys.publicKey)) })
  expect(token?.payload).toEqual({
    sub: user.id,
    gen: 0,
    sid: expect.any(String),
    iss: 'voxscribe',
    aud: 'voxscribe-api',
    iat: expect.any(Number),
    exp: expect.any(Number),
  })
  const claims = jsonwebtoken.decode(accessToken, { json: true })
  expect(claims!.exp! - claims!.iat!).toBe(15 * 60)
})

const listed = async (accessToken: string) =>
  (await auth.get('/users/sessions', accessToken)).body.data.sessions

describe('refresh', () => {
  const refresh = (refreshToken: unknown) => auth.post('/auth/refresh', { refreshToken })

  test('when a refresh token is used, then new tokens come and the new one works', async () => {
    const { refreshToken, user } = await auth.signedUp()
    const first = await refresh(refreshToken)
    expect([first.status, Object.keys(first.body.data)]).toEqual([200, ['accessToken', 'refreshToken']])
    const second = await refresh(first.body.data.refreshToken)
    expect(second.status).toBe(200)
    const profile = await auth.get('/users/profile', second.body.data.accessToken)
    expect(profile.body.data.user.id).toBe(user.id)
  })

  test('when ten tabs refresh at once, then one gets new tokens, and nothing is revoked', async () => {
    const { refreshToken } = await auth.signedUp()
    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    const alreadyRefreshed = { success: false, message: 'Already refreshed', code: 'already_refreshed' }
    expect(answers.find(({ status }) => status === 409)?.body).toEqual(alreadyRefreshed)
    const next = answers.find(({ status }) => status === 200)?.body.data.refreshToken
    expect((await refresh(next)).status).toBe(200)
  })

  describe('when the answer to a renewal was lost, and the token comes again after ten seconds', () => {
    const lost = async () => {
      const { refreshToken, user } = await auth.signedUp()
      const { body } = await refresh(refreshToken)
      await later(user.id)
      return { refreshToken, user, successor: body.data as { accessToken: string; refreshToken: string } }
    }
    const later = async (userId: string) => {
      const sessions = auth.stored('sessions')
      const at = new Date(Date.now() - 11_000)
      const spent = (await sessions.findOne({ userId }))?.spent.map((token: object) => ({ ...token, at }))
      await sessions.updateOne({ userId }, { $set: { spent } })
    }
    const shown = (accessToken: string) => {
      const { sid: sessionId, jti: renewal } = jsonwebtoken.decode(accessToken, { json: true })!
      return auth.internal('/internal/sessions/used', { sessionId, renewal })
    }

    test('then the same session goes on, as often as answers are lost', async () => {
      const { refreshToken, user } = await lost()
      const second = await refresh(refreshToken)
      expect(second.status).toBe(200)
      await later(user.id)
      const third = await refresh(refreshToken)
      expect(third.status).toBe(200)
      expect(await listed(third.body.data.accessToken)).toMatchObject([{ current: true }])
      expect((await refresh(third.body.data.refreshToken)).status).toBe(200)
    })

    test('ten times at once, then one gets new tokens, and nothing is revoked', async () => {
      const { refreshToken } = await lost()
      const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    })

    test('then the successor that nobody had ends the session when it comes after all', async () => {
      const { refreshToken, user, successor } = await lost()
      const { body } = await refresh(refreshToken)
      await later(user.id)
      expect((await refresh(successor.refreshToken)).status).toBe(401)
      expect((await refresh(body.data.refreshToken)).status).toBe(401)
    })

    test('but its successor was used to renew, then the session ends', async () => {
      const { refreshToken, user, successor } = await lost()
      const { body } = await refresh(successor.refreshToken)
      await later(user.id)
      const reused = await refresh(refreshToken)
      expect([reused.status, reused.body.message]).toEqual([401, 'Unauthorized'])
      expect((await refresh(body.data.refreshToken)).status).toBe(401)
    })

    test('but its successor was used to call, then the session ends', async () => {
      const { refreshToken, successor } = await lost()
      expect((await shown(successor.accessToken)).status).toBe(200)
      expect((await refresh(refreshToken)).status).toBe(401)
      expect((await refresh(successor.refreshToken)).status).toBe(401)
    })

    test('and the call was made with an older access token, then the session goes on', async () => {
      const { refreshToken, user, successor } = await lost()
      await refresh(refreshToken)
      await later(user.id)
      await shown(successor.accessToken)
      expect((await refresh(refreshToken)).status).toBe(200)
    })
  })

  test('when a token is made up from a known session, then the session ends', async () => {
    const { refreshToken } = await auth.signedUp()
    expect((await refresh(`${refreshToken.split('.')[0]}.guess`)).status).toBe(401)
    expect((await refresh(refreshToken)).status).toBe(401)
  })

  test('when a token has expired, then 401 says so', async () => {
    const { refreshToken, user } = await auth.signedUp()
    await auth.stored('sessions').updateOne({ userId: user.id }, { $set: { expiresAt: new Date(0) } })
    const { status, body } = await refresh(refreshToken)
    expect([status, body.message]).toEqual([401, 'Token expired'])
  })

  test('when an account signs out, also with an unknown token, then only that session ends', async () => {
    const { person, refreshToken } = await auth.signedUp()
    const elsewhere = await auth.login(person.email, person.password)
    for (const token of [refreshToken, 'unknown']) {
      const { status, body } = await auth.post('/auth/logout', { refreshToken: token })
      expect([status, body]).toEqual([200, { success: true, message: 'Signed out', data: null }])
    }
    expect((await refresh(refreshToken)).status).toBe(401)
    expect((await refresh(elsewhere.body.data.refreshToken)).status).toBe(200)
  })

  test('when a refresh token is stored, then only its hash is', async () => {
    const { refreshToken, user } = await auth.signedUp()
    const session = await auth.stored('sessions').findOne({ userId: user.id })
    expect(JSON.stringify(session)).not.toContain(refreshToken.split('.')[1])
  })

  test.each([[''], [null], [{ $gt: '' }], [['a']], ['x'.repeat(501)]])(
    'when the token is %j, then 400',
    async bad => {
      const { status, body } = await refresh(bad)
      expect([status, body.errors?.[0]?.field]).toEqual([400, 'refreshToken'])
    },
  )
})
