import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ConversationRow } from '@voxscribe/contracts/http'
import { HISTORY_PAGE_SIZE } from '@voxscribe/contracts/limits'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { HistoryTabs } from '../note/history-tabs.tsx'
import { call } from '../session/client.ts'
import { Pages } from '../ui/action/pages.tsx'
import { CrashBoundary, PartFailed } from '../ui/feedback/crash-boundary.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { day } from '../ui/figures.ts'
import { Page } from '../ui/layout/page.tsx'
import { useChatExport } from '../upload/chat-exports.ts'
import { allDropped, DropZone, FileButton } from '../upload/choose-files.tsx'
import { SendingList } from './bring-in/sending-list.tsx'
import { namesOf } from './names.ts'

const ChosenExport = lazy(() => import('./bring-in/chosen-export.tsx'))

/** A chat that was still being made when the page was loaded again appears by itself. */
const LOOK_AGAIN_MS = 5_000

/** The person's chats, and the form that brings in an export. */
export default function ConversationsScreen() {
  const [page, setPage] = useState(1)
  const list = useQuery({
    queryKey: ['conversations', page],
    queryFn: async ({ signal }) =>
      (await call('conversations', { query: { page, limit: HISTORY_PAGE_SIZE }, signal })).data,
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  })
  return (
    <Page
      title={i18n.t('Chats')}
      intro={i18n.t('A chat that WhatsApp or Telegram exported, with its voice notes as text.')}
    >
      <HistoryTabs />
      <BringInChat />
      <SendingList />
      <LoadError of={[list]} fallback={i18n.t('Failed to fetch transcriptions')} />
      {list.isPending && <Skeletons className="mt-4 gap-3" heights={['h-16', 'h-16']} />}
      <ul
        aria-label={i18n.t('Chats')}
        className="mt-4 divide-y divide-line border-line border-y empty:hidden"
      >
        {list.data?.conversations.map(chat => (
          <li key={chat.id}>
            <ChatRow chat={chat} />
          </li>
        ))}
      </ul>
      {list.data?.conversations.length === 0 && <p className="mt-6 text-soft">{i18n.t('No chats yet')}</p>}
      {list.data && <Pages {...list.data.pagination} busy={list.isPlaceholderData} onOpen={setPage} />}
    </Page>
  )
}

const ChatRow = ({ chat: { id, name, people, from, to, messages } }: { chat: ConversationRow }) => (
  <article aria-labelledby={`${id}-name`} className="py-3">
    <h2 className="wrap-anywhere font-medium font-sans text-base tracking-normal">
      <Link id={`${id}-name`} to={`/conversations/${id}`} className="hover:underline">
        <bdi>{name}</bdi>
      </Link>
    </h2>
    <p className="flex flex-wrap gap-x-3 text-soft text-sm">
      <span>
        {day(from)} – {day(to)}
      </span>
      <span>{i18n.t('{count, plural, one {# message} other {# messages}}', { count: messages })}</span>
    </p>
    <p className="truncate text-soft text-sm">{namesOf(people)}</p>
  </article>
)

function BringInChat() {
  const { chosen, choose, forget } = useChatExport()
  const chooseAll = (files: File[]) =>
    files.length > 0 && choose(files.map(file => ({ path: file.webkitRelativePath || file.name, file })))
  return (
    <section aria-labelledby="bring-in-chat" className="mt-4">
      <h2 id="bring-in-chat" className="sr-only">
        {i18n.t('Bring in a chat')}
      </h2>
      <DropZone onDrop={dropped => void allDropped(dropped).then(choose)}>
        <FileButton accept=".zip,.txt,.json" onFiles={chooseAll}>
          {i18n.t('Choose an export')}
        </FileButton>
        <FileButton folder onFiles={chooseAll}>
          {i18n.t('Choose a folder')}
        </FileButton>
        <p className="text-soft max-md:hidden">{i18n.t('or drop it here')}</p>
        <p className="basis-full text-soft text-sm">
          {i18n.t(
            'It is read in this browser. Only the chat’s text and its voice notes are sent; pictures, videos and documents stay here.',
          )}{' '}
          <Link to="/docs/chats" className="link">
            {i18n.t('How to export a chat')}
          </Link>
        </p>
      </DropZone>
      {chosen && (
        <CrashBoundary place={chosen.id} fallback={<PartFailed />}>
          <Suspense fallback={<Skeletons className="mt-4 gap-3" heights={['h-16']} />}>
            <ChosenExport key={chosen.id} {...chosen} onGone={forget} />
          </Suspense>
        </CrashBoundary>
      )}
    </section>
  )
}
