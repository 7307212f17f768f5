import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Transcription } from '@voxscribe/contracts/http'
import { SEARCH_MAX } from '@voxscribe/contracts/limits'
import { useCombobox } from 'downshift'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useInstallation } from '../api/installation.tsx'
import { i18n } from '../language/i18n.ts'
import { titleForReader } from '../language/title.ts'
import { call } from '../session/client.ts'
import { queryClient } from '../session/query-client.ts'
import { useSession } from '../session/session.ts'
import { isComposing } from '../ui/action/use-keys.ts'
import { classes } from '../ui/classes.ts'
import { messageOf } from '../ui/feedback/toast.ts'
import { shortMoment } from '../ui/figures.ts'
import { CONTROL_LOOK } from '../ui/form/field.tsx'
import { ACCOUNT_PAGES, OPEN_PAGES } from './header.tsx'
import { SETTINGS } from './settings.tsx'
import { chooseTheme } from './theme.tsx'

const NOTES = 6
const DEBOUNCE_MS = 150
const DOCS = { to: '/docs', name: /*i18n*/ 'Docs' }
const title = () => i18n.t('Find notes, pages and actions')

interface Hit {
  id: string
  name: string
  /** When the note arrived. */
  moment?: string
  run(): void
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** Returns the pages and actions whose name contains every typed word. */
function named(hits: Hit[], typed: string) {
  const words = plain(typed).split(/\s+/)
  return hits.filter(({ name }) => words.every(word => plain(name).includes(word)))
}

function usePlaces(): Hit[] {
  const navigate = useNavigate()
  const { signOut } = useSession()
  const plans = useInstallation()?.plans
  const settings = SETTINGS.map(({ path, name }) => ({ to: path, name }))
  const pages = [
    ...ACCOUNT_PAGES.filter(({ to }) => settings.every(({ to: path }) => path !== to)),
    ...settings,
  ]
  const page = ({ to, name }: (typeof pages)[number]): Hit => ({
    id: to,
    name: i18n.t(name),
    run: () => navigate(to),
  })
  const act = (id: string, name: string, run: () => void): Hit => ({ id, name, run })
  const begin = (act: 'record' | 'upload') => () => navigate('/dashboard', { state: { begin: act } })
  return [
    ...pages.map(page),
    act('record', i18n.t('Record'), begin('record')),
    act('upload', i18n.t('Upload|action'), begin('upload')),
    act('light', i18n.t('Light'), () => chooseTheme('light')),
    act('dark', i18n.t('Dark'), () => chooseTheme('dark')),
    ...[...OPEN_PAGES.filter(({ to }) => to !== '/pricing' || plans !== false), DOCS].map(page),
    act('log-out', i18n.t('Log Out'), async () => {
      await signOut()
      navigate('/signin', { replace: true, state: null })
    }),
  ]
}

const noteHit = (note: Transcription, run: () => void): Hit => ({
  id: note.id,
  name: titleForReader(note.title, note.notices),
  moment: shortMoment(note.createdAt),
  run,
})

const notesQuery = (search: string) =>
  queryOptions({
    queryKey: ['transcriptions', 'palette', search],
    queryFn: async ({ signal }) =>
      (await call('transcriptions', { query: { limit: NOTES, ...(search && { search }) }, signal })).data
        .transcriptions,
  })

/** Returns a text once it has stopped changing for a moment, so that not every keystroke searches. */
function useLater(text: string) {
  const [later, setLater] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setLater, DEBOUNCE_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return later
}

/** Finds notes, pages and actions by the typed text; Enter opens the selected hit. */
export default function Palette({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [text, setText] = useState('')
  const navigate = useNavigate()
  const search = useLater(text.trim())
  const { data, isPending, error } = useQuery(notesQuery(search), queryClient)
  // Notes that were found for an earlier text aren't offered.
  const isSearching = isPending || search !== text.trim()
  const notes = (!isSearching && data) || []
  const hits = [
    ...named(usePlaces(), text.trim()),
    ...notes.map(note => noteHit(note, () => navigate(`/transcriptions/${note.id}`))),
  ]
  const [first] = hits
  const take = (hit: Hit) => {
    onClose()
    hit.run()
  }
  const takeFirst = useEffectEvent(() => first && take(first))
  /** Whether Enter was pressed before there were hits; the first hit then opens when the search ends. */
  const [isAwaited, setAwaited] = useState(false)
  useEffect(() => {
    if (isAwaited && !isSearching) takeFirst()
  }, [isAwaited, isSearching])
  useLayoutEffect(() => {
    const { current } = dialog
    current?.showModal()
    return () => current?.close()
  }, [])
  const box = useCombobox({
    items: hits,
    isOpen: true,
    defaultHighlightedIndex: 0,
    initialHighlightedIndex: 0,
    selectedItem: null,
    inputValue: text,
    itemToString: hit => hit?.name ?? '',
    itemToKey: hit => hit?.id,
    onSelectedItemChange: ({ selectedItem }) => selectedItem && take(selectedItem),
  })
  return (
    <dialog
      ref={dialog}
      aria-label={title()}
      onClose={onClose}
      onPointerDown={event => event.target === event.currentTarget && onClose()}
      className="mx-auto mt-[10dvh] w-[min(36rem,calc(100vw-1rem))] rounded-card border border-line bg-surface p-0 text-ink shadow-sheet backdrop:bg-[rgb(13_15_21/0.55)]"
    >
      <div className="grid max-h-[80dvh] grid-rows-[auto_minmax(0,1fr)] gap-2 p-2">
        <input
          {...box.getInputProps({
            'aria-label': title(),
            'aria-labelledby': undefined,
            placeholder: title(),
            maxLength: SEARCH_MAX,
            onChange(event) {
              setText(event.currentTarget.value)
              setAwaited(false)
            },
            onKeyDown({ key, nativeEvent }) {
              if (key === 'Enter' && !first && !isComposing(nativeEvent)) setAwaited(true)
              // Escape closes the dialog, so Downshift must not empty the field first.
              if (key === 'Escape') Object.assign(nativeEvent, { preventDownshiftDefault: true })
            },
          })}
          dir="auto"
          className={CONTROL_LOOK}
        />
        <ul {...box.getMenuProps({ 'aria-label': title() })} className="overflow-y-auto overscroll-contain">
          {hits.map((hit, index) => (
            <li
              key={hit.id}
              {...box.getItemProps({ item: hit, index })}
              className={classes(
                'flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 py-2',
                box.highlightedIndex === index && 'bg-wash text-accent forced-colors:underline',
              )}
            >
              <bdi className="min-w-0 flex-1 truncate">{hit.name}</bdi>
              {hit.moment && <span className="shrink-0 text-soft text-sm">{hit.moment}</span>}
            </li>
          ))}
        </ul>
        <p role="status" className={first ? 'sr-only' : 'px-3 py-2 text-soft'}>
          {!first &&
            !isSearching &&
            (error ? messageOf(error, i18n.t('Failed to fetch transcriptions')) : i18n.t('Nothing found'))}
        </p>
      </div>
    </dialog>
  )
}
