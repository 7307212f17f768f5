import { jest } from '@jest/globals'
import { act, fireEvent, render, screen } from '@testing-library/react'
import { getToasts, removeToast, TOAST_PLACES, type ToastPosition, toast } from './toast.ts'
import { Toaster } from './toaster.tsx'

beforeEach(() => {
  jest.useFakeTimers()
  for (const { id } of getToasts()) removeToast(id)
  render(<Toaster />)
})
afterEach(() => {
  jest.useRealTimers()
})

const pass = (milliseconds: number) => act(() => jest.advanceTimersByTime(milliseconds))
const stage = (message: string) =>
  screen.queryByText(message)?.closest<HTMLElement>('[data-stage]')?.dataset.stage
const show = (...[message, options]: Parameters<typeof toast>) => act(() => void toast(message, options))
const cornerOf = (message: string) =>
  screen.getByText(message).closest<HTMLElement>('[data-position]')?.dataset.position

test('when a toast is shown, then it appears in 10 ms, leaves after 5 s and slides for 300 ms', () => {
  show('Saved')
  expect(stage('Saved')).toBe('waiting')
  pass(9)
  expect(stage('Saved')).toBe('waiting')
  pass(1)
  expect(stage('Saved')).toBe('shown')
  pass(4989)
  expect(stage('Saved')).toBe('shown')
  pass(1)
  expect(stage('Saved')).toBe('leaving')
  pass(299)
  expect(stage('Saved')).toBe('leaving')
  pass(1)
  expect(screen.queryByText('Saved')).toBeNull()
})

test('when it has a duration of its own, then that counts', () => {
  show('Three seconds', { duration: 3000 })
  pass(2999)
  expect(stage('Three seconds')).toBe('shown')
  pass(1)
  expect(stage('Three seconds')).toBe('leaving')
})

test('when a place is asked for, then it is there, else at the bottom right', () => {
  show('Here')
  expect(cornerOf('Here')).toBe('bottom-right')
  for (const position of Object.keys(TOAST_PLACES) as ToastPosition[]) {
    show(position, { position })
    expect(cornerOf(position)).toBe(position)
  }
})

test('when it has a type, then it looks so, and markup in its message is text', () => {
  for (const type of ['success', 'error', 'warning', 'info'] as const) {
    show(`<b>${type}</b>`, { type })
    expect(screen.getByText(`<b>${type}</b>`).closest<HTMLElement>('[data-type]')?.dataset.type).toBe(type)
  }
})

test('when it is closed, then it slides out at once', () => {
  show('Enough')
  pass(10)
  fireEvent.click(screen.getByRole('button', { name: 'Close message' }))
  expect(stage('Enough')).toBe('leaving')
  pass(300)
  expect(screen.queryByText('Enough')).toBeNull()
})

test.each([
  ['a pointer rests on it', fireEvent.pointerEnter, fireEvent.pointerLeave],
  ['its buttons have the focus', fireEvent.focusIn, fireEvent.focusOut],
])('when %s, then it waits for as long', (_, come, go) => {
  show('Read me slowly')
  pass(10)
  const card = screen.getByText('Read me slowly').closest('[data-stage]')!
  come(card)
  pass(20_000)
  expect(stage('Read me slowly')).toBe('shown')
  go(card)
  pass(5000)
  expect(stage('Read me slowly')).toBe('leaving')
})

test('when its button is pressed, then the focus goes back to where it came from', () => {
  const before = document.body.appendChild(document.createElement('button'))
  const run = jest.fn()
  show('Gone', { action: { label: 'Undo', run } })
  before.focus()
  const undo = screen.getByRole('button', { name: 'Undo' })
  act(() => undo.focus())
  fireEvent.click(undo)
  expect(run).toHaveBeenCalledTimes(1)
  expect(document.activeElement).toBe(before)
  before.remove()
})

test.each([
  ['Ctrl+Z', { key: 'z', ctrlKey: true }],
  ['⌘Z', { key: 'z', metaKey: true }],
  ['Ctrl+Z of an Arabic keyboard', { key: 'ئ', code: 'KeyZ', ctrlKey: true }],
])('when %s is pressed, then what was done last is undone, but not while one types', (_, keys) => {
  const undos = [jest.fn(), jest.fn()]
  for (const run of undos) show('Gone', { action: { label: 'Undo', run } })
  show('Something else')
  expect(screen.getAllByText('Ctrl+Z')).toHaveLength(2)
  const field = document.body.appendChild(document.createElement('input'))
  fireEvent.keyDown(field, keys)
  fireEvent.keyDown(document.body, { ...keys, ctrlKey: false, metaKey: false })
  expect(undos[1]).not.toHaveBeenCalled()
  fireEvent.keyDown(document.body, keys)
  expect(undos.map(run => run.mock.calls.length)).toEqual([0, 1])
  field.remove()
})
