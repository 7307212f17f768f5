import { useQuery } from '@tanstack/react-query'
import type { PublicConfig, Subscription, Transcription } from '@voxscribe/contracts/http'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { isElsewhere } from '../language/names.ts'
import { useDeletedIds } from '../note/deletions.ts'
import { ListNotice, NoteRow } from '../note/note-row.tsx'
import { todosQuery } from '../note/todo.tsx'
import { useTranscriptions } from '../note/transcriptions.ts'
import { PaymentProblemBanner } from '../plan/payment-problem-banner.tsx'
import { queryOf } from '../session/client.ts'
import { useSession } from '../session/session.ts'
import { useProfile } from '../session/use-profile.ts'
import { ButtonLink, TextLink } from '../ui/action/button.tsx'
import { classes } from '../ui/classes.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { TitledCard } from '../ui/layout/card.tsx'
import { Page } from '../ui/layout/page.tsx'
import { BringIn } from '../upload/bring-in.tsx'
import { InstallApp } from '../upload/install-app.tsx'
import { NumberCard } from './number-card.tsx'
import { MinutesCard, SubscriptionCard } from './plan-cards.tsx'
import { TodosCard } from './todos-card.tsx'

const LATEST = 5

export default function DashboardScreen() {
  const { user } = useSession()
  const profile = useProfile()
  const config = useConfig()
  // A stored user may lack the subscription until the profile has loaded.
  const plan: Subscription | undefined = user?.subscription
  const isPaid = plan !== undefined && plan.plan !== 'free'
  const status = useQuery({
    ...queryOf('subscriptionStatus', data => data, ['subscription', 'status']),
    enabled: isPaid,
    refetchOnWindowFocus: 'always',
  })
  const latest = useTranscriptions({ limit: LATEST })
  const todos = useQuery(todosQuery)
  const deleted = useDeletedIds()
  const notes = latest.data?.transcriptions.filter(({ id }) => !deleted.has(id)) ?? []
  if (!user) return null
  const hasPlanProblem = profile.data?.planIsCurrent === false || (isPaid && status.data?.payment_problem)
  // Nothing appears here until it is known what comes above it.
  const isComing = latest.isPending || config.isPending || (todos.isPending && !todos.failureCount)
  // A sample shows what a note is, but doesn't count as one.
  const hasNotes = notes.some(({ sample }) => !sample)
  const number = <NumberCard user={user} isFolded={hasNotes} />
  return (
    <Page
      title={i18n.t('Dashboard')}
      heading={i18n.t('Hello, {name}', { name: user.first_name || user.name || i18n.t('User') })}
      intro={i18n.t('Keep this page open: a note appears here by itself, within seconds.')}
    >
      <LoadError of={[profile]} fallback={i18n.t('Failed to load profile')} />
      {profile.data?.planIsCurrent === false && (
        <Banner tone="warning" className="mt-6">
          {i18n.t(
            'We couldn’t look up your plan just now. The minutes and the subscription shown here may be out of date.',
          )}
        </Banner>
      )}
      {isPaid && status.data?.payment_problem && <PaymentProblemBanner />}
      <div className="mt-4 grid gap-6 sm:mt-8 lg:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)]">
        <div className="grid content-start gap-6">
          {isComing ? (
            <Skeletons className="gap-6" heights={['h-40', 'h-dvh lg:h-96']} />
          ) : (
            <>
              {hasNotes && <LatestNotes notes={notes} />}
              <TodosCard todos={todos.data ?? []} />
              {/* The guide comes first until there are notes. */}
              {!hasNotes && number}
              {!hasNotes && notes.length > 0 && <LatestNotes notes={notes} />}
              <BringIn />
              {hasNotes && number}
              {!hasPlanProblem && <InstallApp />}
              {config.data?.sandbox && <SandboxNote config={config.data} />}
            </>
          )}
        </div>
        {/* On a phone this comes below cards whose height is unknown until they load. */}
        <div
          className={classes(
            'grid content-start gap-6 sm:grid-cols-2 lg:grid-cols-1',
            isComing && 'max-lg:hidden',
          )}
        >
          {plan ? (
            <>
              <MinutesCard {...plan} />
              <SubscriptionCard {...plan} sells={config.data?.plans ?? true} />
            </>
          ) : (
            <Skeletons className="gap-6" heights={['h-56', 'h-56']} />
          )}
          <TitledCard title={i18n.t('Account settings')}>
            <p className="wrap-anywhere mt-2 text-soft">
              <bdi translate="no">{user.email}</bdi>
            </p>
            <ButtonLink to="/update-profile" variant="secondary" className="mt-4 w-full">
              {i18n.t('Update Profile')}
            </ButtonLink>
          </TitledCard>
        </div>
      </div>
    </Page>
  )
}

const LatestNotes = ({ notes }: { notes: Transcription[] }) => (
  <TitledCard
    title={i18n.t('Latest notes')}
    className="max-sm:px-4 max-sm:py-4"
    badge={<TextLink to="/transcription-history">{i18n.t('All transcriptions')}</TextLink>}
  >
    <ListNotice notes={notes} />
    <ul className="mt-1 -ms-2 divide-y divide-line">
      {notes.map(note => (
        <li key={note.id}>
          <NoteRow note={note} dated />
        </li>
      ))}
    </ul>
  </TitledCard>
)

function SandboxNote({ config }: { config: PublicConfig }) {
  // A service of an earlier version doesn't list its engines.
  const usesHostedEngine = config.speech?.engines.some(isElsewhere)
  return (
    <p className="w-fit rounded-control bg-sunken px-3 py-1.5 text-soft text-sm">
      {usesHostedEngine
        ? i18n.t('This is the sandbox: chats stay on this machine, recordings go to the speech service.')
        : i18n.t('This is the sandbox: everything stays on this machine.')}
    </p>
  )
}
