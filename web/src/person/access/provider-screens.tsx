import { useMutation } from '@tanstack/react-query'
import type { DataFor } from '@voxscribe/contracts/calls'
import { MailedLinkBody, ProvePasswordBody } from '@voxscribe/contracts/http'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { useSignInMethods } from '../../api/installation.tsx'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { useSession } from '../../session/session.ts'
import { readStored, removeStored, writeStored } from '../../storage.ts'
import { Button, TextLink } from '../../ui/action/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { messageOf } from '../../ui/feedback/toast.ts'
import { useAction } from '../../ui/feedback/use-action.ts'
import { PasswordField } from '../../ui/form/field.tsx'
import { Form, FormMessage, SubmitButton, useCallForm } from '../../ui/form/form.tsx'
import { AccountPage, sessionIn, useMailedToken } from './account-page.tsx'

const RETURN_TARGET = 'leftForProvider'

interface ProviderButtonProps {
  name: string
  /** Whether another way to sign in follows. */
  apart?: boolean
}

/** Sends the browser to the installation's own identity provider. */
export function ProviderButton({ name, apart }: ProviderButtonProps) {
  const { state, search } = useLocation()
  const [isLeaving, setLeaving] = useState(false)
  const leaving = useAction({
    send: () => call('beginOidc'),
    onSuccess({ data }) {
      setLeaving(true)
      writeStored(RETURN_TARGET, JSON.stringify({ from: Object(state).from, search }))
      window.location.assign(data.url)
    },
    failed: i18n.t('Login failed'),
  })
  return (
    <div className={apart ? 'mb-8 border-line border-b pb-6' : undefined}>
      <Button className="w-full" busy={leaving.isPending || isLeaving} onClick={() => leaving.run()}>
        {i18n.t('Continue with {name}', { name })}
      </Button>
    </div>
  )
}

/** Returns, once only, the page that the person wanted and the query of the page they left. */
function takeReturnTarget(): { from?: unknown; search?: string } {
  const stored = readStored(RETURN_TARGET)
  removeStored(RETURN_TARGET)
  return JSON.parse(stored ?? '{}')
}

type ToLink = Extract<DataFor<'oidcSignIn'>, { next: 'link' }>

/** The page to which the provider sends the browser. It signs the person in, or goes on to the step that is missing. */
export function SignedInScreen() {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { signIn } = useSession()
  const returnTarget = useRef<ReturnType<typeof takeReturnTarget>>(null)
  const enter = (session: DataFor<'login'>) => {
    signIn(session)
    // The guard of /signin knows which page comes next.
    navigate('/signin', { replace: true, state: { from: returnTarget.current?.from } })
  }
  const answer = useMutation({
    mutationFn: async () => (await call('oidcSignIn', { body: Object.fromEntries(search) as never })).data,
    onSuccess(data) {
      if (!('next' in data)) enter(data)
      else if (data.next === 'register')
        navigate(`/signup${returnTarget.current?.search ?? ''}`, {
          replace: true,
          state: { from: returnTarget.current?.from, provided: data },
        })
    },
  })
  const { mutate, data, error } = answer
  useEffect(() => {
    if (returnTarget.current) return
    returnTarget.current = takeReturnTarget()
    mutate()
  }, [mutate])
  if (data && 'next' in data && data.next === 'link') return <LinkAccount {...data} onSignedIn={enter} />
  return (
    <AccountPage
      title={error ? i18n.t('You aren’t signed in') : i18n.t('Signing in…')}
      below={error && <TextLink to="/signin">{i18n.t('Back to sign in')}</TextLink>}
    >
      {error && <FormMessage of={error}>{messageOf(error, i18n.t('Login failed'))}</FormMessage>}
    </AccountPage>
  )
}

/** Asks the person to prove that the account with the provider's address is theirs. */
function LinkAccount({
  ticket,
  email,
  onSignedIn,
}: ToLink & { onSignedIn(session: DataFor<'login'>): void }) {
  const { provider } = useSignInMethods()
  const name = provider ?? ''
  const [isMailed, setMailed] = useState(false)
  const proof = useCallForm({
    schema: ProvePasswordBody,
    defaultValues: { password: '' },
    send: async ({ password }) => {
      const { data, ...answer } = await call('oidcLink', { body: { ticket, password } })
      return sessionIn({ ...answer, data: data as DataFor<'login'> }, i18n.t('Login failed'))
    },
    onSuccess: onSignedIn,
  })
  const mailing = useAction({
    send: () => call('oidcLink', { body: { ticket, mail: true } }),
    onSuccess: () => setMailed(true),
    failed: i18n.t('The email couldn’t be sent'),
  })
  return (
    <AccountPage
      title={i18n.t('Is this your account?')}
      intro={i18n.t(
        'There is already an account for {email}. Prove once that it’s yours; from then on, {name} signs you in.',
        { email, name },
      )}
      below={<TextLink to="/signin">{i18n.t('Back to sign in')}</TextLink>}
    >
      <Form of={proof} fallback={i18n.t('Login failed')}>
        <PasswordField {...proof.field('password')} />
        <SubmitButton className="w-full" busyLabel={i18n.t('Signing in…')}>
          {i18n.t('Link and sign in')}
        </SubmitButton>
      </Form>
      <div className="mt-8 grid gap-5 border-line border-t pt-6">
        {isMailed && (
          <p role="status">{i18n.t('We’ve sent a link to {email}. It works for one hour.', { email })}</p>
        )}
        <Button variant="secondary" className="w-full" busy={mailing.isPending} onClick={() => mailing.run()}>
          {i18n.t('Email me a link instead')}
        </Button>
      </div>
    </AccountPage>
  )
}

/** Opened by a mail's link. Only the button changes anything, because mail scanners open links. */
export function LinkSignInScreen() {
  const { token } = useMailedToken()
  const { provider } = useSignInMethods()
  const { signIn } = useSession()
  const navigate = useNavigate()
  const linking = useCallForm({
    schema: MailedLinkBody,
    values: { token },
    async send(body) {
      const { data, ...answer } = await call('oidcLink', { body })
      return sessionIn({ ...answer, data: data as DataFor<'login'> }, i18n.t('Login failed'))
    },
    onSuccess(session) {
      signIn(session)
      navigate('/dashboard', { replace: true })
    },
  })
  const isUnusable = !token || linking.errorOf('token')
  return (
    <AccountPage
      title={i18n.t('Is this your account?')}
      intro={i18n.t('From now on, {name} signs you in to the account whose email brought you here.', {
        name: provider ?? '',
      })}
      below={isUnusable && <TextLink to="/signin">{i18n.t('Back to sign in')}</TextLink>}
    >
      <Form of={linking} fallback={i18n.t('Login failed')}>
        {isUnusable && !linking.call.error && <Banner>{i18n.t(REFUSALS.link_expired.text)}</Banner>}
        <p className="text-soft">
          {i18n.t(
            'If this is the first proof that the address is yours, all other ways into the account end, such as passkeys, API keys and linked chats: anyone could have signed up with it.',
          )}
        </p>
        <SubmitButton disabled={!token} busyLabel={i18n.t('Signing in…')}>
          {i18n.t('Link and sign in')}
        </SubmitButton>
      </Form>
    </AccountPage>
  )
}
