import type { HookDelivery } from '@voxscribe/contracts/http'
import { HOOK_DELIVERY_DAYS } from '@voxscribe/contracts/limits'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { Button } from '../../ui/action/button.tsx'
import { Badge, type Tone } from '../../ui/feedback/badge.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { LoadError, Skeletons } from '../../ui/feedback/loading.tsx'
import { useAction } from '../../ui/feedback/use-action.ts'
import { figure, moment } from '../../ui/figures.ts'
import { Facts } from '../../ui/layout/facts.tsx'
import { hooksQuery, useDeliveries } from './hook-form.tsx'

const STATUS: Record<HookDelivery['status'], [name: string, tone: Tone]> = {
  waiting: [/*i18n*/ 'Waiting', 'warn'],
  delivered: [/*i18n*/ 'Delivered', 'good'],
  failed: [/*i18n*/ 'Failed|delivery', 'bad'],
}
const FAILURES: Record<NonNullable<HookDelivery['failure']>, string> = {
  status: /*i18n*/ 'The address answered with an error.',
  redirect: /*i18n*/ 'The address answered with a redirect, which we don’t follow.',
  gone: /*i18n*/ 'The address wants no more messages (410): the hook was turned off.',
  timeout: /*i18n*/ 'The address didn’t answer in time.',
  connection: /*i18n*/ 'There was no connection to the address, or it broke off.',
  private_address: /*i18n*/ 'The address leads into a private network.',
  hook_off: /*i18n*/ 'The hook was off.',
}

/** The newest messages to a hook and their outcomes. */
export function Deliveries({ hookId }: { hookId: string }) {
  const deliveries = useDeliveries(hookId)
  return (
    <>
      <LoadError of={[deliveries]} fallback={i18n.t('Failed to load the deliveries')} className="my-2" />
      {deliveries.isPending && <Skeletons className="my-2 gap-3" heights={['h-16', 'h-16']} />}
      {deliveries.data?.length === 0 && (
        <p className="pb-3 text-soft">
          {i18n.t(
            '{days, plural, one {Nothing was sent in the last day.} other {Nothing was sent in the last # days.}}',
            { days: HOOK_DELIVERY_DAYS },
          )}
        </p>
      )}
      <ul className="divide-y divide-line">
        {deliveries.data?.map(delivery => (
          <Delivery key={delivery.id} hookId={hookId} delivery={delivery} />
        ))}
      </ul>
    </>
  )
}

function Delivery({ hookId, delivery }: { hookId: string; delivery: HookDelivery }) {
  const { id, type, status, createdAt, tries, lastTriedAt, nextTryAt, failure, statusCode, answer } = delivery
  const [name, tone] = STATUS[status]
  const repeat = useAction({
    send: () => call('deliverAgain', { params: { id: hookId, deliveryId: id } }),
    failed: i18n.t('The message couldn’t be sent again'),
    reload: hooksQuery,
  })
  return (
    <li className="grid gap-1.5 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <code dir="ltr" translate="no" className="wrap-anywhere min-w-0 font-semibold">
          {type}
        </code>
        <Badge tone={tone}>{i18n.t(name)}</Badge>
        <span className="ms-auto">
          <Button variant="quiet" size="small" busy={repeat.isPending} onClick={repeat.run}>
            {i18n.t('Send again')}
          </Button>
        </span>
      </div>
      <Facts
        look="line"
        facts={[
          [i18n.t('Created|delivery'), moment(createdAt)],
          [i18n.t('Tries'), figure(tries)],
          [i18n.t('Last try'), lastTriedAt && moment(lastTriedAt)],
          [i18n.t('Next try'), nextTryAt && moment(nextTryAt)],
          [i18n.t('Answer'), statusCode],
        ]}
      />
      {failure && <p className="text-bad">{i18n.t(FAILURES[failure])}</p>}
      {answer && (
        <pre
          dir="auto"
          className="wrap-anywhere max-h-40 overflow-auto whitespace-pre-wrap rounded-md bg-sunken px-3 py-2"
        >
          {answer}
        </pre>
      )}
    </li>
  )
}

/** The outcome of a test delivery. */
export function TestResult({ hookId, deliveryId }: { hookId: string; deliveryId: string }) {
  const test = useDeliveries(hookId).data?.find(({ id }) => id === deliveryId)
  if (!test?.tries) return <Banner tone="info">{i18n.t('The test is being sent…')}</Banner>
  return test.status === 'delivered' ? (
    <Banner tone="success">{i18n.t('The test has arrived.')}</Banner>
  ) : (
    <Banner>{i18n.t(FAILURES[test.failure ?? 'connection'])}</Banner>
  )
}
