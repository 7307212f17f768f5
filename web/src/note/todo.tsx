import type { Todo as OpenTodo } from '@voxscribe/contracts/http'
import { dateOf } from '@voxscribe/contracts/wording'
import { useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { call, queryOf } from '../session/client.ts'
import { useAction } from '../ui/feedback/use-action.ts'
import { Checkbox } from '../ui/form/checkbox.tsx'
import { NOTES } from './queries.ts'

/** The open to-dos of all notes, reloaded together with the notes. */
export const todosQuery = queryOf('todos', data => data.todos, ['transcriptions', 'todos'])

type TodoProps = Pick<OpenTodo, 'transcriptionId' | 'n' | 'text' | 'due' | 'done'> & { isKept?: boolean }

/** A to-do, which a press marks as done or reopens. `isKept` is false if the change isn't saved, as in a trial. */
export function Todo({ transcriptionId, n, text, due, done, isKept = true }: TodoProps) {
  const [wanted, setWanted] = useState<boolean>()
  const saveDone = useAction({
    send: (done: boolean) => call('tickTodo', { params: { transcriptionId, n: String(n) }, body: { done } }),
    failed: i18n.t('That didn’t work'),
    reload: NOTES,
  })
  const isDone = wanted ?? done
  return (
    <Checkbox
      checked={isDone}
      onChange={async event => {
        setWanted(event.target.checked)
        if (!isKept) return
        await saveDone.run(event.target.checked)
        setWanted(undefined)
      }}
    >
      <span dir="auto" className={isDone ? 'text-soft line-through' : undefined}>
        {text}
        {due && (
          <>
            {' '}
            <time dateTime={due} lang={i18n.locale} className="whitespace-nowrap text-soft">
              <bdi>{dateOf(i18n, due)}</bdi>
            </time>
          </>
        )}
      </span>
    </Checkbox>
  )
}
