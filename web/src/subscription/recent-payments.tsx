import { RECENT_PAYMENTS } from '@voxscribe/contracts/business'
import type { Payment } from '@voxscribe/contracts/http'
import { Badge, type Tone } from '../ui/badge.tsx'
import { TitledCard } from '../ui/card.tsx'
import { day, money } from '../ui/figures.ts'

const TONES: Record<string, Tone> = {
  paid: 'good',
  refunded: 'warn',
  partially_refunded: 'warn',
  unpaid: 'warn',
  failed: 'bad',
  disputed: 'bad',
}
const readable = (word: string) => word.replaceAll('_', ' ')

export const RecentPayments = ({ payments }: { payments: Payment[] }) => (
  <TitledCard title="Recent payments" large className="mt-6">
    {payments.length === 0 ? (
      <p className="mt-3 text-soft">No payments so far.</p>
    ) : (
      <ul className="mt-4 divide-y divide-line border-line border-y">
        {payments.slice(0, RECENT_PAYMENTS).map(payment => (
          <li key={payment.id} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3">
            <span>
              <span className="font-semibold tabular-nums">{money(payment.amount, payment.currency)}</span>{' '}
              <span className="text-soft capitalize">{readable(payment.planType)} plan</span>
            </span>
            <span className="flex items-center gap-4">
              <time dateTime={payment.createdAt} className="text-soft tabular-nums">
                {day(payment.createdAt)}
              </time>
              <Badge tone={TONES[payment.paymentStatus] ?? 'neutral'}>
                <span className="capitalize">{readable(payment.paymentStatus)}</span>
              </Badge>
            </span>
          </li>
        ))}
      </ul>
    )}
  </TitledCard>
)
