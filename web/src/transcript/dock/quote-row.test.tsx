import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import type { AxiosAdapter } from 'axios'
import { http } from '../../api/http.ts'
import { ok } from '../../testing/fake-api.ts'
import { document as note } from '../../testing/notes.ts'
import { ada } from '../../testing/people.ts'
import { openApp } from '../../testing/render-app.tsx'

const [first, second] = note.segments
const told: Partial<TranscriptionDocument> = {
  durationSeconds: 90,
  speakers: [
    { id: '1', name: null },
    { id: '2', name: 'Bob' },
  ],
  segments: [
    { ...first!, speaker: '1' },
    { ...second!, speaker: '2' },
  ],
}

async function open(document: Partial<TranscriptionDocument> = {}) {
  const transcription = { ...note, ...told, ...document }
  const app = openApp(
    '/transcriptions/note-1',
    { transcription: () => ok<'transcription'>({ transcription }) },
    ada,
  )
  await screen.findByRole('region', { name: 'Transcript' })
  return app
}
const row = () => screen.queryByRole('group', { name: 'Quoted passage' })

function select(id: string) {
  const range = window.document.createRange()
  range.selectNodeContents(window.document.querySelector(`[data-passage="${id}"]`)!)
  window.getSelection()!.removeAllRanges()
  window.getSelection()!.addRange(range)
  act(() => void fireEvent(window.document, new Event('selectionchange')))
}

test('when words are marked, then what can be done with them stands beside them: copied, quoted, played', async () => {
  const { user } = await open()
  expect(screen.queryByRole('toolbar', { name: 'Marked words' })).toBeNull()
  select(second!.id)
  const bubble = () => within(screen.getByRole('toolbar', { name: 'Marked words' }))
  await user.click(bubble().getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe('ten minutes late.')
  expect(bubble().getByRole('button', { name: 'Play' })).toBeTruthy()
  await user.click(bubble().getByRole('button', { name: 'Quote' }))
  act(() => void fireEvent(window.document, new Event('selectionchange')))
  expect(screen.queryByRole('toolbar', { name: 'Marked words' })).toBeNull()

  const asked: string[] = []
  const adapter = http.defaults.adapter as AxiosAdapter
  http.defaults.adapter = async config => {
    if (!config.url?.includes('/quote')) return adapter(config)
    asked.push(`${config.url}?${new URLSearchParams(config.params)}`)
    return { status: 200, statusText: '', data: new Blob(['1']), headers: {}, config }
  }
  URL.createObjectURL = () => 'blob:1'
  HTMLAnchorElement.prototype.click = () => {}
  await user.click(within(row()!).getByRole('button', { name: 'Quote' }))
  const to = Math.min(second!.to, 90)
  await waitFor(() => expect(asked).toEqual([`/transcriptions/note-1/quote?from=${second!.from}&to=${to}`]))
  await user.click(screen.getByRole('button', { name: 'Copy passage' }))
  expect(await navigator.clipboard.readText()).toBe('1:01 Bob: ten minutes late.')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(row()).toBeNull()
})

test('when there is no mouse, then a passage is chosen from line to line; without audio it can be copied only', async () => {
  const { user } = await open({ audioUrl: null })
  await user.click(screen.getByRole('button', { name: 'More actions' }))
  await user.click(screen.getByRole('button', { name: 'Quote' }))
  expect(window.document.activeElement).toBe(screen.getByRole('combobox', { name: 'From line' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'To line' }), '1')
  expect(within(row()!).queryByRole('button', { name: 'Quote' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Copy passage' }))
  expect(await navigator.clipboard.readText()).toBe('0:00 Speaker 1: I will be\n1:01 Bob: ten minutes late.')
  await user.click(screen.getByRole('button', { name: 'Done' }))
  expect(window.document.activeElement).toBe(screen.getByRole('region', { name: 'Transcript' }))
})
