import { api, type Todo } from '@voxscribe/contracts/http'
import { TODO_NOTES_MAX } from '@voxscribe/contracts/limits'
import { implement, type Route, refusal } from '@voxscribe/service'
import { type Titled, titleOf } from '../note/listing.ts'
import type { Mine, NoteRecord } from '../note/record.ts'
import type { Notes } from '../note/store.ts'

/** Projection of a note with a gist: its title never comes from its text. */
const WITH_TODOS = { title: 1, fileName: 1, gist: 1, createdAt: 1 } as const

const todosOf = (note: Titled & Pick<NoteRecord, '_id' | 'createdAt'>): Todo[] =>
  (note.gist?.tasks ?? []).map(({ text, due, done }, place) => ({
    transcriptionId: note._id,
    n: place + 1,
    text,
    due,
    done: done === true,
    title: titleOf(note),
    createdAt: note.createdAt.toISOString(),
  }))

/** To-dos with a day come first, by day; the others keep their order. */
const byDay = (one: Todo, other: Todo) =>
  Number(!one.due) - Number(!other.due) || (one.due ?? '').localeCompare(other.due ?? '')

/** Returns the to-dos of all notes whose `done` is in `wanted`. */
export async function todosIn(notes: Notes, mine: Mine, wanted: boolean[]): Promise<Todo[]> {
  const found = await notes.model
    .find({ ...mine, 'gist.tasks.done': { $in: wanted } }, WITH_TODOS)
    .sort({ createdAt: -1, _id: 1 })
    .limit(TODO_NOTES_MAX)
    .lean<NoteRecord[]>()
  return found
    .flatMap(todosOf)
    .filter(({ done }) => wanted.includes(done))
    .sort(byDay)
}

export const todoRoutes = (notes: Notes): Route[] => [
  implement(api.todos, async ({ userId, query }) => {
    const wanted = query.done === 'all' ? [true, false] : [false]
    return { data: { todos: await todosIn(notes, { userId }, wanted) } }
  }),
  implement(api.tickTodo, async ({ userId, params: { transcriptionId, n }, body }) => {
    const place = /^[1-9]\d{0,3}$/.test(n) ? Number(n) - 1 : undefined
    const note = place !== undefined && (await notes.ticked(transcriptionId, userId, place, body.done))
    const todo = note && todosOf(note)[place!]
    if (!todo) throw refusal('todo_unknown')
    return { data: { todo }, message: 'Saved' }
  }),
]
