import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CONVERSATION_FORMATS, type Conversation } from '@voxscribe/contracts/http'
import { QUESTION_MAX, SEARCH_MAX, TITLE_MAX } from '@voxscribe/contracts/limits'
import { useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { AskNotes, isQuestion } from '../note/ask-notes.tsx'
import { saveExport } from '../note/exports.tsx'
import { call } from '../session/client.ts'
import { Button, TextLink } from '../ui/action/button.tsx'
import { LoadError, Skeletons } from '../ui/feedback/loading.tsx'
import { messageOf, toast, toastError } from '../ui/feedback/toast.ts'
import { Field, Select } from '../ui/form/field.tsx'
import { Row } from '../ui/layout/details.tsx'
import { PageTitle } from '../ui/layout/page.tsx'
import { useWide } from '../ui/layout/use-wide.ts'
import { ChatMessages } from './chat-messages.tsx'
import { ChatRow, ShareRow, useChange } from './chat-rows.tsx'
import { namesOf } from './names.ts'

const EXPORTS = [
  ...CONVERSATION_FORMATS.map(format => ({ format })),
  { format: 'pdf', certified: 'on' },
] as const

/** A chat to read and search; `n` in the address is the message to begin with. */
export default function ConversationScreen() {
  const { id = '' } = useParams()
  const conversation = useQuery({
    queryKey: ['conversation', id],
    queryFn: async ({ signal }) => (await call('conversation', { params: { id }, signal })).data.conversation,
  })
  const isMissing = Object(conversation.error).status === 404
  return (
    <div className="page py-2 sm:py-4">
      <TextLink to="/conversations" className="print:hidden inline-block py-1 text-sm">
        {i18n.t('All chats')}
      </TextLink>
      {conversation.data ? (
        <Chat conversation={conversation.data} />
      ) : isMissing ? (
        <PageTitle title={messageOf(conversation.error, '')} className="mt-4" />
      ) : (
        <LoadError of={[conversation]} fallback={i18n.t('Failed to load the transcript')} />
      )}
      {conversation.isPending && (
        <Skeletons className="mt-4 gap-4" heights={['h-10 w-2/3', 'h-28', 'h-64']} />
      )}
    </div>
  )
}

function Chat({ conversation }: { conversation: Conversation }) {
  const { id, name, people, from, to, timeZone, notes } = conversation
  const notSent = notes.filter(note => !note.transcriptionId).length
  const [address, setAddress] = useSearchParams()
  const typed = (address.get('search') ?? '').slice(0, QUESTION_MAX)
  const search = typed.slice(0, SEARCH_MAX)
  /** The words being typed, and the search in the address that they belong to. */
  const [draft, setDraft] = useState({ at: typed, words: typed })
  const words = draft.at === typed ? draft.words : typed
  const first = Number(address.get('n')) || 1
  const day = (at: string) => new Date(at).toLocaleDateString(i18n.locale, { timeZone, dateStyle: 'medium' })
  const isWide = useWide()
  const about = (
    <>
      <GoToDay conversation={conversation} onGo={n => setAddress({ n: String(n) })} />
      <People conversation={conversation} />
      <Row name={i18n.t('Download')}>
        <div className="flex flex-wrap gap-2">
          {EXPORTS.map(query => (
            <Button
              key={Object.values(query).join()}
              size="small"
              variant="secondary"
              onClick={() =>
                void saveExport('exportConversation', { params: { id }, query }, `${name}.${query.format}`)
              }
            >
              {'certified' in query ? i18n.t('PDF with checksums') : query.format.toUpperCase()}
            </Button>
          ))}
        </div>
        <p className="mt-3 text-soft">
          {i18n.t('These are other people’s words: whoever shares them answers for it.')}
        </p>
      </Row>
      <ShareRow {...conversation} />
      <ChatRow conversation={conversation} />
    </>
  )
  return (
    <>
      <PageTitle title={name}>
        <bdi className="wrap-anywhere">{name}</bdi>
      </PageTitle>
      <p className="mt-3 max-w-prose text-lg text-soft">
        <span className="wrap-anywhere">{namesOf(people)}</span>
        <br />
        {day(from)} – {day(to)}
      </p>
      {notSent > 0 && (
        <p className="mt-3">
          {i18n.t(
            '{count, plural, one {# voice note of this chat isn’t here yet.} other {# voice notes of this chat aren’t here yet.}}',
            { count: notSent },
          )}{' '}
          <Link to="/conversations" className="link">
            {i18n.t('Choose the export again to go on')}
          </Link>
        </p>
      )}
      {/* On a wide screen, what belongs to the chat as a whole is beside its messages. */}
      <div className="mt-4 lg:grid lg:grid-cols-[minmax(0,1fr)_19rem] lg:grid-rows-[auto_1fr] lg:gap-x-12">
        <div>
          <form
            className="flex flex-wrap items-end gap-2"
            onSubmit={event => {
              event.preventDefault()
              const wanted = words.trim()
              setDraft({ at: wanted, words: wanted })
              setAddress(wanted ? { search: wanted } : {})
            }}
          >
            <Field
              type="search"
              label={i18n.t('Search')}
              value={words}
              onChange={event => setDraft({ at: typed, words: event.target.value })}
              maxLength={QUESTION_MAX}
              className="grow"
            />
            <Button type="submit" variant="secondary">
              {i18n.t('Search')}
            </Button>
          </form>
          {isQuestion(typed) && <AskNotes key={typed} question={typed} within={{ conversation: id }} />}
        </div>
        <aside
          aria-label={i18n.t('About this chat')}
          className="max-lg:mt-2 lg:col-start-2 lg:row-span-2 lg:row-start-1"
        >
          {isWide ? about : <Row name={i18n.t('About this chat')}>{about}</Row>}
        </aside>
        <div className="min-w-0 lg:col-start-1">
          <ChatMessages
            key={`${search} ${first}`}
            conversation={conversation}
            isOwn
            first={first}
            search={search}
            load={async (after, limit) => {
              const query = { after, limit, ...(search && { search }) }
              return (await call('conversationMessages', { params: { id }, query })).data
            }}
          />
        </div>
      </div>
    </>
  )
}

const optionsOf = (people: Conversation['people']) => people.map(({ id, name }) => ({ id, label: name }))

/** Finds the first message on or after a day, in the chat's time zone. */
function GoToDay({ conversation, onGo }: { conversation: Conversation; onGo(n: number): void }) {
  const { id, from, to, timeZone } = conversation
  const dayOf = (at: string) => new Date(at).toLocaleDateString('sv-SE', { timeZone })
  const find = useMutation({
    mutationFn: async (day: string) =>
      (await call('conversationMessages', { params: { id }, query: { day, limit: 1 } })).data.messages,
    onSuccess: ([first]) => first && onGo(first.n),
    onError: error => toastError(error, i18n.t('Failed to load the transcript')),
  })
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={event => {
        event.preventDefault()
        find.mutate(String(new FormData(event.currentTarget).get('day')))
      }}
    >
      <Field
        type="date"
        name="day"
        label={i18n.t('Go to a day')}
        required
        min={dayOf(from)}
        max={dayOf(to)}
        defaultValue={dayOf(from)}
      />
      <Button type="submit" variant="secondary" busy={find.isPending}>
        {i18n.t('Go')}
      </Button>
    </form>
  )
}

/** Chooses which person is the reader, renames people, and merges those who are the same person. */
function People({ conversation }: { conversation: Conversation }) {
  const { id, people, me, version } = conversation
  const [chosen, setChosen] = useState(people[0]?.id)
  const person = people.find(each => each.id === chosen) ?? people[0]
  const queries = useQueryClient()
  const change = useChange(conversation)
  if (!person) return null
  /** Merges a person with another, or splits them (null). Either changes the senders of messages. */
  const join = (who: string, sameAs: string | null, { version }: { version: number }) =>
    change.mutate(
      { people: [{ id: who, sameAs }], version },
      {
        onSuccess(changed) {
          void queries.invalidateQueries({ queryKey: ['conversation', id, 'messages'] })
          if (sameAs)
            toast(i18n.t('They’re one person now'), {
              type: 'success',
              action: { label: i18n.t('Undo'), run: () => join(who, null, changed) },
            })
        },
      },
    )
  return (
    <Row name={i18n.t('People')} className="mt-3">
      {/* The reader's messages appear on the other side. */}
      <Select
        label={i18n.t('You in this chat')}
        className="mb-3 max-w-80"
        value={me ?? ''}
        disabled={change.isPending}
        onChange={event => change.mutate({ me: event.target.value || null, version })}
        options={[{ id: '', label: i18n.t('Not chosen') }, ...optionsOf(people)]}
      />
      <form
        key={`${person.id} ${version}`}
        className="flex flex-wrap items-end gap-3"
        onSubmit={event => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const name = String(form.get('name')).trim()
          const sameAs = String(form.get('sameAs'))
          if (sameAs) join(person.id, sameAs, { version })
          else if (name && name !== person.name) change.mutate({ people: [{ id: person.id, name }], version })
        }}
      >
        <Select
          label={i18n.t('Person')}
          value={person.id}
          onChange={event => setChosen(event.target.value)}
          options={optionsOf(people)}
        />
        <Field
          name="name"
          label={i18n.t('Name')}
          defaultValue={person.name}
          maxLength={TITLE_MAX}
          dir="auto"
        />
        <Select
          name="sameAs"
          label={i18n.t('The same person as')}
          options={[
            { id: '', label: i18n.t('Nobody else') },
            ...optionsOf(people.filter(each => each !== person)),
          ]}
        />
        <Button type="submit" variant="secondary" busy={change.isPending}>
          {i18n.t('Save')}
        </Button>
      </form>
    </Row>
  )
}
