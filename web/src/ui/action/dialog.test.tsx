import { fireEvent, render, screen } from '@testing-library/react'
import { Dialog } from './dialog.tsx'

function open(more: Partial<Parameters<typeof Dialog>[0]> = {}) {
  const calls: string[] = []
  render(
    <Dialog title="Cancel the plan?" onClose={() => calls.push('closed')} {...more}>
      It goes on until the end of the month.
    </Dialog>,
  )
  return calls
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('when it asks, then it has two answers', () => {
  const calls: string[] = []
  open({ onConfirm: () => calls.push('confirmed'), confirmLabel: 'Yes, cancel', closeLabel: 'No' })
  expect(screen.getByRole('dialog', { name: 'Cancel the plan?' })).toBeTruthy()
  press('Yes, cancel')
  expect(calls).toEqual(['confirmed'])
})

test('when it only tells, then it is an alert with OK', () => {
  const calls = open()
  expect(screen.getByRole('alertdialog', { name: 'Cancel the plan?' })).toBeTruthy()
  press('OK')
  expect(calls).toEqual(['closed'])
})

test('when Escape is pressed, then it closes, but not while it is busy', () => {
  const calls = open({ onConfirm: () => {}, busy: true })
  fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }))
  expect(calls).toEqual([])
  // The browser insists.
  const dialog = screen.getByRole<HTMLDialogElement>('dialog')
  dialog.close()
  fireEvent(dialog, new Event('close'))
  expect(calls).toEqual(['closed'])
  const others = open()
  fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }))
  expect(others).toEqual(['closed'])
})
