import type { Todo as OpenTodo } from '@voxscribe/contracts/http'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'
import { useDeletedIds } from '../note/deletions.ts'
import { Todo } from '../note/todo.tsx'
import { Button } from '../ui/action/button.tsx'
import { useLostFocus } from '../ui/action/use-lost-focus.ts'
import { figure } from '../ui/figures.ts'
import { TitledCard } from '../ui/layout/card.tsx'

const SHOWN = 5

/** The open to-dos of all notes; renders nothing if there are none. */
export function TodosCard({ todos: all }: { todos: OpenTodo[] }) {
  const deleted = useDeletedIds()
  const todos = all.filter(({ transcriptionId }) => !deleted.has(transcriptionId))
  const [isWhole, setWhole] = useState(false)
  const list = useLostFocus<HTMLUListElement>(todos.length)
  if (!todos.length) return null
  const shown = isWhole ? todos : todos.slice(0, SHOWN)
  return (
    <TitledCard title={i18n.t('To do')} className="max-sm:px-4 max-sm:py-4">
      <ul ref={list} tabIndex={-1} className="mt-1 divide-y divide-line focus:outline-none">
        {shown.map(todo => (
          <li key={`${todo.transcriptionId} ${todo.n}`} className="wrap-anywhere py-1">
            <Todo {...todo} />
            <Link
              to={`/transcriptions/${todo.transcriptionId}`}
              dir="auto"
              className="text-beside ms-7 -mt-1.5 mb-1 block truncate text-sm text-soft hover:underline"
            >
              {todo.title}
            </Link>
          </li>
        ))}
      </ul>
      {shown.length < todos.length && (
        <Button variant="quiet" size="small" className="-mx-3" onClick={() => setWhole(true)}>
          {i18n.t('Show all {count}', { count: figure(todos.length) })}
        </Button>
      )}
    </TitledCard>
  )
}
