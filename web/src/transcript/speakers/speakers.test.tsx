import { screen, waitFor, within } from '@testing-library/react'
import type { TranscriptionDocument } from '@voxscribe/contracts/http'
import { type FakeHandlers, ok } from '../../testing/fake-api.ts'
import { document as note } from '../../testing/notes.ts'
import { ada } from '../../testing/people.ts'
import { config } from '../../testing/plans.ts'
import { openApp } from '../../testing/render-app.tsx'

const [first, second] = note.segments
const told: Partial<TranscriptionDocument> = {
  speakers: [
    { id: '1', name: null },
    { id: '2', name: 'Bob' },
  ],
  segments: [
    { ...first!, speaker: '1' },
    { ...second!, speaker: '2' },
  ],
}

function open(document: Partial<TranscriptionDocument> = {}, more: FakeHandlers = {}, speakers = true) {
  const current = { ...note, audioAvailable: true, ...document }
  return openApp(
    '/transcriptions/note-1',
    {
      config: () => ok({ ...config, speech: { ...config.speech, speakers } }),
      transcription: () => ok<'transcription'>({ transcription: current }),
      findSpeakers: () => ok<'findSpeakers'>({ transcription: { ...current, speakersProgress: 0 } }),
      editTranscription: () => ok<'editTranscription'>({ transcription: current }),
      ...more,
    },
    ada,
  )
}
const text = () => screen.findByRole('region', { name: 'Transcript' })

test.each([
  ['there is no model', {}, false],
  ['its audio is gone', { audioAvailable: false }, true],
])('when %s, then nobody is asked who speaks', async (_, document, speakers) => {
  open(document, {}, speakers)
  await text()
  expect(screen.queryByText('Who speaks?')).toBeNull()
})

test('when a person says how many speak, then the voices are told apart with that count', async () => {
  const { api, user } = open({ durationSeconds: 63 })
  await user.click(await screen.findByRole('button', { name: '2' }))
  await waitFor(() => expect(api.of('findSpeakers')).toMatchObject([{ body: { count: 2 } }]))
})

test('when speakers are known, then another telling apart asks before it replaces them', async () => {
  const { api, user } = open({ ...told, durationSeconds: 63 })
  const ask = () => screen.findByRole('button', { name: 'I don’t know' }).then(button => user.click(button))
  await ask()
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(api.of('findSpeakers')).toHaveLength(0)
  await ask()
  const question = within(screen.getByRole('dialog'))
  await user.click(question.getByRole('button', { name: 'Tell them apart again' }))
  await waitFor(() => expect(api.of('findSpeakers')).toMatchObject([{ body: {} }]))
})

test('when voices are being told apart, then the page says how far it is, and lets it be cancelled', async () => {
  const { api, user } = open(
    { speakersProgress: 0.4 },
    { cancelSpeakers: () => ok<'cancelSpeakers'>({ transcription: note }) },
  )
  expect(await screen.findByText(/: 40%/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(api.of('cancelSpeakers')).toHaveLength(1))
})

test('when speakers are known, then each line has a name, which is typed once for all', async () => {
  const { api, user } = open(told, {}, false)
  expect((await text()).textContent).toContain('Bob')
  expect(screen.getByText(/may be mixed up. Click a name/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Speaker 1' }))
  await user.type(screen.getByLabelText('Name of this voice'), ' Ada <v evil> {Enter}')
  await waitFor(() =>
    expect(api.of('editTranscription')).toMatchObject([
      { body: { speakers: [{ id: '1', name: 'Ada <v evil>' }] } },
    ]),
  )
  await waitFor(() =>
    expect(window.document.activeElement?.closest('li')?.textContent).toContain('I will be'),
  )
  expect(window.document.activeElement?.tagName).toBe('BUTTON')
})

test('when names were used in other notes, then they are offered, and asked for only then', async () => {
  const speakers = [
    { id: '1', name: 'Zoë' },
    { id: '2', name: null },
  ]
  const others = [
    { ...note, speakers },
    {
      ...note,
      speakers: [
        { id: '1', name: 'Ada' },
        { id: '2', name: 'Zoë' },
      ],
    },
  ]
  const page = { transcriptions: others, statistics: { total: 2, processing: 0 } }
  const { api, user } = open(told, { transcriptions: () => ok<'transcriptions'>(page as never) })
  const button = await screen.findByRole('button', { name: 'Speaker 1' })
  expect(api.of('transcriptions')).toHaveLength(0)
  await user.click(button)
  const field = screen.getByLabelText('Name of this voice')
  const offered = () => [...((field as HTMLInputElement).list?.options ?? [])].map(({ value }) => value)
  await waitFor(() => expect(offered()).toEqual(['Ada', 'Zoë']))
})

test('when the page is left while a name is typed, then it is saved', async () => {
  const { api, user, navigate } = open(told)
  await user.click(await screen.findByRole('button', { name: 'Speaker 1' }))
  await user.keyboard('Ada')
  navigate('/transcription-history')
  await waitFor(() =>
    expect(api.of('editTranscription')).toMatchObject([{ body: { speakers: [{ id: '1', name: 'Ada' }] } }]),
  )
})

test('when a line is by somebody else, then it is given to them', async () => {
  const { api, user } = open(told)
  await user.click(await screen.findByRole('button', { name: 'Line by line' }))
  await user.click(screen.getByRole('button', { name: 'Speaker 1' }))
  await user.keyboard('Not this')
  await user.click(screen.getByRole('button', { name: 'This line is by Bob' }))
  await waitFor(() =>
    expect(api.of('editTranscription')).toMatchObject([
      { body: { segments: [{ id: first!.id, speaker: '2' }] } },
    ]),
  )
})
