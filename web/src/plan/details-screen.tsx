import { Trans } from '@lingui/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Payment, SubscriptionDetails, UsageEntry } from '@voxscribe/contracts/http'
import { HISTORY_PAGE_SIZE, RECENT_PAYMENTS } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { clockTime } from '../language/times.ts'
import { titleForReader } from '../language/title.ts'
import { call, queryOf } from '../session/client.ts'
import { ButtonLink, TextLink } from '../ui/action/button.tsx'
import { Pages } from '../ui/action/pages.tsx'
import { classes } from '../ui/classes.ts'
import { Badge, type Tone } from '../ui/feedback/badge.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { Meter } from '../ui/feedback/meter.tsx'
import { day, figure, megabytes, money, shortMoment } from '../ui/figures.ts'
import { TitledCard } from '../ui/layout/card.tsx'
import { Facts } from '../ui/layout/facts.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PaymentProblemBanner } from './payment-problem-banner.tsx'
import { PlanBadge, PlanChange } from './plan-change.tsx'

const COLUMNS = 'mt-8 gap-6 lg:grid-cols-[minmax(0,1.5fr)_minmax(0,1fr)]'

export default function DetailsScreen() {
  const details = useQuery({
    ...queryOf('subscriptionDetails', data => data, ['subscription', 'details']),
    refetchOnWindowFocus: 'always',
  })
  const sells = useConfig().data?.plans ?? true
  return (
    <Page title={sells ? i18n.t('Subscription details') : i18n.t('Minutes used')}>
      <LoadError of={[details]} fallback={i18n.t('Failed to load subscription details')} />
      {details.isPending && <Skeletons className={COLUMNS} heights={['h-80', 'h-80']} />}
      {details.data && <Details {...details.data} />}
    </Page>
  )
}

const CYCLES: Record<string, string> = {
  week: /*i18n*/ 'Weekly',
  month: /*i18n*/ 'Monthly',
  year: /*i18n*/ 'Yearly',
}

function Details({ subscription, usageStats, paymentHistory }: SubscriptionDetails) {
  const sells = useConfig().data?.plans ?? true
  return (
    <>
      {subscription.paymentProblem && <PaymentProblemBanner />}
      <div className={classes('grid', COLUMNS)}>
        <PlanSummary {...subscription} />
        <TitledCard title={i18n.t('Usage statistics')} large>
          <Facts
            className="mt-5"
            facts={[
              [i18n.t('Transcriptions'), figure(usageStats.totalTranscriptions)],
              [i18n.t('Completed|transcriptions'), figure(usageStats.completedTranscriptions)],
              [i18n.t('Failed|transcriptions'), figure(usageStats.failedTranscriptions)],
              [i18n.t('Total file size'), megabytes(usageStats.totalFileSize)],
            ]}
          />
          <TextLink to="/transcription-history" className="mt-5 inline-block">
            {i18n.t('View transcription history')}
          </TextLink>
        </TitledCard>
      </div>
      {(sells || paymentHistory.length > 0) && <RecentPayments payments={paymentHistory} />}
      <MinutesLedger />
    </>
  )
}

function PlanSummary(subscription: SubscriptionDetails['subscription']) {
  const { plan, status, usedMinutes, minutesLeft, subscriptionMinutes, amount, currency, interval } =
    subscription
  const { currentPeriodStart, currentPeriodEnd } = subscription
  const paid = plan !== 'free'
  const sells = useConfig().data?.plans ?? true
  const cost: [string, string][] = [
    [i18n.t('Amount'), money(amount, currency)],
    [i18n.t('Billing cycle'), i18n.t(CYCLES[interval] ?? interval)],
  ]
  return (
    <TitledCard
      title={paid ? i18n.t('Pro plan') : sells ? i18n.t('Free plan') : i18n.t('Your account')}
      badge={
        paid && <PlanBadge plan={plan} status={status} labels={[i18n.t('Active'), i18n.t('Canceling')]} />
      }
      large
    >
      {minutesLeft !== null && subscriptionMinutes !== null && (
        <Meter
          value={minutesLeft}
          max={subscriptionMinutes}
          of={i18n.t('{max, plural, one {of # minute left} other {of # minutes left}}', {
            max: subscriptionMinutes,
          })}
        />
      )}
      <Facts
        className="mt-6"
        facts={[
          [i18n.t('Minutes used'), figure(usedMinutes)],
          ...(sells || paid ? cost : []),
          [
            status === 'canceling' || status === 'canceled'
              ? i18n.t('Last period')
              : i18n.t('Current period'),
            i18n.t('{start} to {end}', { start: day(currentPeriodStart), end: day(currentPeriodEnd) }),
          ],
        ]}
      />
      <div className="mt-6 flex flex-wrap items-center gap-3">
        {paid && <PlanChange action="downgrade" status={status} until={currentPeriodEnd} />}
        {sells && (
          <ButtonLink to="/pricing" variant={paid ? 'quiet' : 'primary'}>
            {paid ? i18n.t('Change plan') : i18n.t('Upgrade to Pro')}
          </ButtonLink>
        )}
      </div>
    </TitledCard>
  )
}

const STATUSES: Record<string, [name: string, tone: Tone]> = {
  paid: [/*i18n*/ 'paid', 'good'],
  refunded: [/*i18n*/ 'refunded', 'warn'],
  partially_refunded: [/*i18n*/ 'partially refunded', 'warn'],
  unpaid: [/*i18n*/ 'unpaid', 'warn'],
  canceled: [/*i18n*/ 'canceled', 'neutral'],
  failed: [/*i18n*/ 'failed', 'bad'],
  disputed: [/*i18n*/ 'disputed', 'bad'],
}

function StatusBadge({ status }: { status: string }) {
  const [name, tone] = STATUSES[status] ?? [status, 'neutral']
  return (
    <Badge tone={tone}>
      <span className="inline-block first-letter:uppercase">{i18n.t(name)}</span>
    </Badge>
  )
}

const RecentPayments = ({ payments }: { payments: Payment[] }) => (
  <TitledCard title={i18n.t('Recent payments')} large className="mt-6">
    {payments.length === 0 ? (
      <p className="mt-3 text-soft">{i18n.t('No payments so far.')}</p>
    ) : (
      <ul className="mt-4 divide-y divide-line border-line border-y">
        {payments.slice(0, RECENT_PAYMENTS).map(payment => (
          <li key={payment.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3">
            <span>
              <span className="font-semibold tabular-nums">{money(payment.amount, payment.currency)}</span>{' '}
              <span className="inline-block text-soft first-letter:uppercase">{i18n.t('Pro plan')}</span>
            </span>
            <span className="flex flex-wrap items-center gap-x-4">
              <time dateTime={payment.createdAt} className="text-soft tabular-nums">
                {day(payment.createdAt)}
              </time>
              <StatusBadge status={payment.paymentStatus} />
            </span>
          </li>
        ))}
      </ul>
    )}
  </TitledCard>
)

function MinutesLedger() {
  const [page, setPage] = useState(1)
  const ledger = useQuery({
    queryKey: ['subscription', 'usage', page],
    queryFn: async ({ signal }) =>
      (await call('usage', { query: { page, limit: HISTORY_PAGE_SIZE }, signal })).data,
    placeholderData: keepPreviousData,
  })
  return (
    <TitledCard
      title={i18n.t('Where your minutes went')}
      large
      aria-busy={ledger.isFetching}
      className="@container mt-6"
    >
      <p className="mt-2 text-soft">
        {i18n.t('We reserve a note’s length before transcribing it, then count what it actually used.')}
      </p>
      {ledger.isPending && <Skeletons className="mt-4" heights={['h-32']} />}
      <LoadError of={[ledger]} fallback={i18n.t('An error occurred')} className="mt-4" />
      {ledger.data?.usage.length === 0 && <p className="mt-4 text-soft">{i18n.t('Nothing used so far.')}</p>}
      {ledger.data && ledger.data.usage.length > 0 && <Entries entries={ledger.data.usage} />}
      {ledger.data && <Pages {...ledger.data.pagination} busy={ledger.isPlaceholderData} onOpen={setPage} />}
    </TitledCard>
  )
}

function Entries({ entries }: { entries: UsageEntry[] }) {
  const names = [i18n.t('When'), i18n.t('Note|voice note'), i18n.t('Length')]
  // Without a limit, no minutes are left to show.
  if (entries.some(({ balanceSeconds }) => balanceSeconds !== null)) names.push(i18n.t('Left'))
  return (
    <table className="mt-4 w-full text-start @max-[16em]:block @max-[16em]:*:block">
      <thead className="text-sm text-soft @max-[16em]:sr-only">
        <tr>
          {names.map(name => (
            <th
              key={name}
              scope="col"
              className="py-2 pe-2 text-start font-medium last:pe-0 nth-[n+3]:text-end sm:pe-4"
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line border-line border-y">
        {entries.map(entry => (
          <Entry key={entry.transcriptionId} {...entry} />
        ))}
      </tbody>
    </table>
  )
}

/** One note per row. A phone shows only the day, and as much of the title as fits. */
function Entry({ transcriptionId, title, seconds, at, balanceSeconds, reserved }: UsageEntry) {
  const [date, ...time] = shortMoment(at).split(/(?=[,،] )/)
  const note =
    title === null ? (
      i18n.t('A deleted note')
    ) : (
      <TextLink to={`/transcriptions/${transcriptionId}`}>
        {reserved ? <bdi>{titleForReader(title)}</bdi> : titleForReader(title)}
      </TextLink>
    )
  return (
    // If four columns don't fit, the note is above its figures.
    <tr className="@max-[16em]:flex flex-wrap justify-between">
      <td className="whitespace-nowrap py-2.5 pe-2 sm:pe-4 text-soft">
        <time dateTime={at}>
          {date}
          <span className="max-sm:hidden">{time.join('')}</span>
        </time>
      </td>
      <td className="w-full max-w-0 py-2.5 pe-2 @max-[16em]:order-first @max-[16em]:max-w-full @max-[16em]:pb-0 sm:pe-4">
        <div dir="auto" className="text-beside truncate">
          {reserved ? <Trans id="Reserved: <0/>" components={{ 0: <span>{note}</span> }} /> : note}
        </div>
      </td>
      <td className="py-2.5 pe-2 sm:pe-4 text-end font-semibold tabular-nums">
        {clockTime(Math.round(seconds))}
      </td>
      <td className="py-2.5 text-end text-soft tabular-nums">
        {balanceSeconds !== null && clockTime(balanceSeconds)}
      </td>
    </tr>
  )
}
