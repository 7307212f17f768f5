import { Trans } from '@lingui/react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { UsageEntry } from '@voxscribe/contracts/http'
import { HISTORY_PAGE_SIZE } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { clockTime } from '../language/clock-time.ts'
import { i18n } from '../language/i18n.ts'
import { titleForReader } from '../language/title.ts'
import { call } from '../session/client.ts'
import { TextLink } from '../ui/action/button.tsx'
import { Pages } from '../ui/action/pages.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { shortMoment } from '../ui/figures.ts'
import { TitledCard } from '../ui/layout/card.tsx'

export function MinutesLedger() {
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
  // Nothing is left of minutes without a limit.
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

/** One line a note: a phone shows the day only, and as much of the title as fits. */
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
    // With no room for four columns the note stands above its figures.
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
