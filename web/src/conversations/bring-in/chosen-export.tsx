import { type MutationState, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { quantity } from '@voxscribe/contracts/wording'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useConfig } from '../../api/config.ts'
import { i18n } from '../../language/i18n.ts'
import { call } from '../../session/client.ts'
import { useProfile } from '../../session/use-profile.ts'
import { useQueued } from '../../session/use-queued.ts'
import { Button } from '../../ui/action/button.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Bar } from '../../ui/feedback/meter.tsx'
import { messageOf } from '../../ui/feedback/toast.ts'
import { figure, percent } from '../../ui/figures.ts'
import { Field, Select } from '../../ui/form/field.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import type { FileAt } from '../../upload/chat-exports.ts'
import { namesOf } from '../names.ts'
import { type Chat, findChat, readAs } from './find-chat.ts'
import { openExport } from './open-export.ts'
import {
  contentOf,
  costOf,
  countMissing,
  type Recording,
  recordingsOf,
  type ScannedExport,
  scanExport,
} from './scan-export.ts'
import { RECORDINGS } from './sending-list.tsx'

interface ChosenProps {
  id: string
  files: FileAt[]
  onGone(): void
}

/** Shows what a chosen export contains, before anything is sent. */
export default function ChosenExport({ id, files, onGone }: ChosenProps) {
  const [share, setShare] = useState(0)
  const exportName = files[0]?.path.split('/')[0] ?? ''
  const reading = useQuery({
    queryKey: ['chat-export', id],
    queryFn: async ({ signal }) => {
      const opened = await openExport(files, signal)
      return scanExport(await findChat(opened, exportName, signal), setShare, signal)
    },
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    structuralSharing: false,
  })
  if (reading.data) return <ScannedChat scanned={reading.data} onGone={onGone} />
  if (reading.isError)
    return (
      <Banner
        className="mt-4"
        action={
          <Button variant="quiet" size="small" onClick={onGone}>
            {i18n.t('Dismiss|upload')}
          </Button>
        }
      >
        {messageOf(
          reading.error,
          i18n.t('This file can’t be read. Please choose it again, or export the chat again.'),
        )}
      </Banner>
    )
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <span role="status" className="wrap-anywhere min-w-0">
        {i18n.t('Reading {name}', { name: exportName })}
      </span>
      <Bar aria-label={i18n.t('Reading {name}', { name: exportName })} value={share} className="w-40" />
      <span className="text-soft tabular-nums">{percent(Math.floor(share * 100) / 100)}</span>
      <Button variant="quiet" size="small" onClick={onGone}>
        {i18n.t('Cancel')}
      </Button>
    </div>
  )
}

/** Formats a local day as date fields expect it: `2025-03-14`. */
const dayOf = (at: number) => new Date(at).toLocaleDateString('sv-SE')
const longDay = (at: number) => i18n.date(new Date(at), { dateStyle: 'long' })
const minutesIn = (minutes: number) => quantity(i18n, Math.ceil(minutes), 'minute')

function ScannedChat({ scanned, onGone }: { scanned: ScannedExport; onGone(): void }) {
  const [dayFirst, setDayFirst] = useState<boolean>()
  const chat = useMemo(
    () => (dayFirst === undefined ? scanned.chat : { ...scanned.chat, read: readAs(scanned.chat, dayFirst) }),
    [scanned, dayFirst],
  )
  // A different order of day and month changes the days, so the form starts over.
  return (
    <ImportForm key={String(dayFirst)} scanned={{ ...scanned, chat }} dayFirst={dayFirst} onGone={onGone}>
      {scanned.chat.read.ambiguous && <DateOrder chat={chat} onChoose={setDayFirst} />}
    </ImportForm>
  )
}

function DateOrder({ chat, onChoose }: { chat: Chat; onChoose(dayFirst: boolean): void }) {
  const first = (dayFirst: boolean) => longDay(readAs(chat, dayFirst).messages[0]!.at)
  return (
    <Select
      label={i18n.t('The dates can be read two ways. When was the first message?')}
      className="mt-3 max-w-80"
      value={String(chat.read.dayFirst)}
      onChange={event => onChoose(event.target.value === 'true')}
      options={[
        { id: 'true', label: first(true) },
        { id: 'false', label: first(false) },
      ]}
    />
  )
}

interface ImportFormProps {
  scanned: ScannedExport
  dayFirst: boolean | undefined
  onGone(): void
  children: React.ReactNode
}

function ImportForm({ scanned, dayFirst, onGone, children }: ImportFormProps) {
  const { chat } = scanned
  const { people, messages } = chat.read
  const times = messages.map(({ at }) => at)
  const first = times.reduce((a, b) => Math.min(a, b))
  const last = times.reduce((a, b) => Math.max(a, b))
  const [span, setSpan] = useState({ from: dayOf(first), to: dayOf(last) })
  const recordings = recordingsOf(scanned)
  const within = recordings.filter(({ at }) => dayOf(at) >= span.from && dayOf(at) <= span.to)
  const plan = useProfile().data?.user.subscription
  const most = plan?.subscription_minutes ?? null
  const left = plan && most !== null ? Math.max(0, most - plan.used_minutes) : null
  const { minutes, waiting } = costOf(within, left)
  const missing = countMissing(scanned)
  const begin = useImport(scanned, dayFirst, left, onGone)
  return (
    <section aria-label={chat.name} className="mt-4 rounded-card border border-line p-4">
      <h2 className="wrap-anywhere text-lg">
        <bdi>{chat.name}</bdi>
      </h2>
      <Facts
        className="mt-2"
        facts={[
          [i18n.t('People'), namesOf(people)],
          [i18n.t('Days'), `${longDay(first)} – ${longDay(last)}`],
          [i18n.t('Messages'), figure(messages.length)],
          [
            i18n.t('Voice notes'),
            recordings.length > 0 &&
              `${figure(recordings.length)} · ${minutesIn(costOf(recordings, null).minutes)}`,
          ],
        ]}
      />
      {children}
      {recordings.length > 0 ? (
        <>
          <div className="mt-3 grid gap-3 sm:max-w-md sm:grid-cols-2">
            {(['from', 'to'] as const).map(end => (
              <Field
                key={end}
                type="date"
                label={end === 'from' ? i18n.t('From') : i18n.t('To')}
                min={dayOf(first)}
                max={dayOf(last)}
                value={span[end]}
                onChange={event =>
                  setSpan({ ...span, [end]: event.target.value || dayOf(end === 'from' ? first : last) })
                }
              />
            ))}
          </div>
          <p className="mt-2 text-soft text-sm">
            {i18n.t('The whole text is brought in; only voice notes of these days are transcribed.')}
          </p>
          <p role="status" className="mt-3">
            {i18n.t(
              '{count, plural, one {# voice note of these days takes {minutes}.} other {# voice notes of these days take {minutes}.}}',
              { count: within.length, minutes: minutesIn(minutes) },
            )}{' '}
            {left !== null && i18n.t('You have {minutes} left.', { minutes: minutesIn(Math.floor(left)) })}{' '}
            {waiting > 0 &&
              i18n.t(
                '{count, plural, one {The oldest one waits until you have minutes again.} other {The # oldest ones wait until you have minutes again.}}',
                { count: waiting },
              )}
          </p>
        </>
      ) : (
        <p className="mt-3">
          {i18n.t('No voice notes are in it. To have them transcribed, export the chat with its media.')}
        </p>
      )}
      {missing > 0 && (
        <p className="mt-2 text-soft text-sm">
          {i18n.t(
            '{count, plural, one {# file that the chat names is not in it.} other {# files that the chat names are not in it.}}',
            { count: missing },
          )}
        </p>
      )}
      {begin.isError && (
        <Banner className="mt-3">{messageOf(begin.error, i18n.t('Failed to send the file'))}</Banner>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button busy={begin.isPending} busyLabel={i18n.t('Sending…')} onClick={() => begin.mutate(within)}>
          {i18n.t('Bring in this chat')}
        </Button>
        <Button variant="secondary" onClick={onGone}>
          {i18n.t('Discard')}
        </Button>
      </div>
    </section>
  )
}

/** Brings in the chat's text, then sends the recordings that the server lacks, as far as the minutes reach. */
function useImport(
  scanned: ScannedExport,
  dayFirst: boolean | undefined,
  left: number | null,
  onGone: () => void,
) {
  const { queue } = useQueued('chat-recordings', RECORDINGS)
  const { data: config } = useConfig()
  const isHere = useIsHere()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    meta: { isUnsaved: ({ status }: MutationState) => status === 'pending' },
    async mutationFn(wanted: Recording[]) {
      const { chat, files } = scanned
      const { source, name, text, timeZone } = chat
      const body = { source, name, text, timeZone, files, ...(dayFirst !== undefined && { dayFirst }) }
      const { conversation } = (await call('createConversation', { body })).data
      const { id } = conversation
      const there = new Set(
        conversation.notes.filter(({ transcriptionId }) => transcriptionId).map(({ file }) => file),
      )
      for (const { state } of queue.find('pending'))
        if (state.variables?.conversation.id === id) there.add(state.variables.name)
      const { fitting } = costOf(
        wanted.filter(({ file }) => !there.has(file)),
        left,
      )
      for (const { file } of fitting)
        void queue.add({
          conversation: { id, name: conversation.name },
          name: file,
          maxBytes: config?.maxFileBytes ?? Number.POSITIVE_INFINITY,
          abort: new AbortController(),
          content: signal => contentOf(chat.files.get(file)!, signal),
        })
      void queries.invalidateQueries({ queryKey: ['conversations'] })
      return { id, sends: fitting.length > 0 }
    },
    onSuccess({ id, sends }) {
      onGone()
      if (!sends && isHere.current) navigate(`/conversations/${id}`)
    },
  })
}

/** Whether the page is still open: a person who has opened another one stays there. */
function useIsHere() {
  const isHere = useRef(true)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  return isHere
}
