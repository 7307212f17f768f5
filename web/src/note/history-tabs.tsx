import { NavLink } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'

/** The person's two lists: notes, and chats that were brought in. */
export const HistoryTabs = () => (
  <nav aria-label={i18n.t('History')} className="mt-2 flex gap-5">
    {(
      [
        ['/transcription-history', i18n.t('Transcriptions')],
        ['/conversations', i18n.t('Chats')],
      ] as const
    ).map(([to, label]) => (
      <NavLink
        key={to}
        to={to}
        className="flex min-h-11 items-center border-transparent forced-colors:not-aria-[current=page]:border-[Canvas] border-b-2 font-semibold text-soft aria-[current=page]:border-accent aria-[current=page]:text-ink"
      >
        {label}
      </NavLink>
    ))}
  </nav>
)
