import { i18n } from '../../language/i18n.ts'
import { figure } from '../figures.ts'
import { Button } from './button.tsx'

interface PagesProps {
  page: number
  totalPages: number
  busy: boolean
  onOpen(page: number): void
}

export function Pages({ page, totalPages, busy, onOpen }: PagesProps) {
  if (totalPages < 2) return null
  const place = { page: figure(page), totalPages: figure(totalPages) }
  return (
    <nav aria-label={i18n.t('Pages')} className="mt-8 flex flex-wrap items-center justify-between gap-3">
      <Button variant="secondary" disabled={busy || page <= 1} onClick={() => onOpen(page - 1)}>
        {i18n.t('Previous')}
      </Button>
      <span className="whitespace-nowrap text-soft tabular-nums" aria-current="page">
        <span className="max-xs:sr-only">{i18n.t('Page {page} of {totalPages}', place)}</span>
        <span aria-hidden="true" className="xs:hidden">
          {place.page} / {place.totalPages}
        </span>
      </span>
      <Button variant="secondary" disabled={busy || page >= totalPages} onClick={() => onOpen(page + 1)}>
        {i18n.t('Next')}
      </Button>
    </nav>
  )
}
