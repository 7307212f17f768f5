import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CONVERSATION_FORMATS, type Conversation } from '@voxscribe/contracts/http'
import { SEARCH_MAX } from '@voxscribe/contracts/limits'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { AskNotes, isQuestion, useEarlier } from '../note/ask-notes.tsx'
import { saveExport } from '../note/exports.tsx'
import { call } from '../session/client.ts'
import { Button } from '../ui/action/button.tsx'
import { messageOf } from '../ui/feedback/error-message.ts'
import { LoadError } from '../ui/feedback/load-error.tsx'
import { Skeletons } from '../ui/feedback/skeleton.tsx'
import { toastError } from '../ui/feedback/toast-error.ts'
import { Field, Select } from '../ui/form/field.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { Row } from '../ui/layout/row.tsx'
import { ChatMessages } from './chat-messages.tsx'

/** A chat to read and to search; `n` in the address is the message that it begins with. */
export default function ConversationScreen() {
  const { id = '' } = useParams()
  const conversation = useQuery({
    queryKey: ['conversation', id],
    queryFn: async ({ signal }) => (await call('conversation', { params: { id }, signal })).data.conversation,
  })
  if (conversation.data) return <Chat conversation={conversation.data} />
  return (
    <div className="page py-4 sm:py-9">
      {Object(conversation.error).status === 404 ? (
        <PageTitle title={messageOf(conversation.error, '')} />
      ) : (
        <LoadError of={[conversation]} fallback={i18n.t('Failed to load the transcript')} />
      )}
      {conversation.isPending && <Skeletons className="gap-4" heights={['h-10 w-2/3', 'h-28', 'h-64']} />}
    </div>
  )
}

function Chat({ conversation }: { conversation: Conversation }) {
  const { id, name, people, from, to, timeZone, notes } = conversation
  const notSent = notes.filter(note => !note.transcriptionId).length
  const [address, setAddress] = useSearchParams()
  const questions = useEarlier()
  const search = (address.get('search') ?? '').slice(0, SEARCH_MAX)
  const first = Number(address.get('n')) || 1
  const day = (at: string) => new Date(at).toLocaleDateString(i18n.locale, { timeZone, dateStyle: 'medium' })
  return (
    <Page
      title={name}
      heading={<bdi className="wrap-anywhere">{name}</bdi>}
      intro={
        <>
          <bdi className="wrap-anywhere">{people.map(person => person.name).join(', ')}</bdi>
          <br />
          {day(from)} – {day(to)}
        </>
      }
    >
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
      <form
        className="mt-4 flex items-end gap-2"
        onSubmit={event => {
          event.preventDefault()
          const words = String(new FormData(event.currentTarget).get('search') ?? '').trim()
          setAddress(words ? { search: words } : {})
        }}
      >
        <Field
          type="search"
          name="search"
          label={i18n.t('Search')}
          defaultValue={search}
          maxLength={SEARCH_MAX}
          className="grow"
        />
        <Button type="submit" variant="secondary">
          {i18n.t('Search')}
        </Button>
      </form>
      {isQuestion(search) && (
        <AskNotes key={search} {...questions} question={search} within={{ conversation: id }} />
      )}
      <Me conversation={conversation} />
      <Row name={i18n.t('Download')} className="mt-2">
        <div className="flex flex-wrap gap-2">
          {CONVERSATION_FORMATS.map(format => (
            <Button
              key={format}
              size="small"
              variant="secondary"
              onClick={() =>
                void saveExport(
                  'exportConversation',
                  { params: { id }, query: { format } },
                  `${name}.${format}`,
                )
              }
            >
              {format.toUpperCase()}
            </Button>
          ))}
        </div>
        <p className="mt-3 text-soft">
          {i18n.t('These are other people’s words: whoever shares them answers for it.')}
        </p>
      </Row>
      <ChatMessages
        key={`${search} ${first}`}
        conversation={conversation}
        isOwn
        first={first}
        search={search}
        load={async after => {
          const query = { after, limit: 200, ...(search && { search }) }
          return (await call('conversationMessages', { params: { id }, query })).data
        }}
      />
    </Page>
  )
}

/** Says which of the people the reader is: their messages stand on the other side. */
function Me({ conversation: { id, people, me, version } }: { conversation: Conversation }) {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: async (person: string) =>
      (await call('changeConversation', { params: { id }, body: { me: person || null, version } })).data
        .conversation,
    onSuccess: changed => queries.setQueryData(['conversation', id], changed),
    onError: error => toastError(error, i18n.t('Your change couldn’t be saved')),
  })
  return (
    <Select
      label={i18n.t('You in this chat')}
      className="mt-3 max-w-80"
      value={me ?? ''}
      disabled={change.isPending}
      onChange={event => change.mutate(event.target.value)}
      options={[
        { id: '', label: i18n.t('Not chosen') },
        ...people.map(person => ({ id: person.id, label: person.name })),
      ]}
    />
  )
}
