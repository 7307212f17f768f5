import { Blob as SentBlob } from 'node:buffer'
import { screen, waitFor, within } from '@testing-library/react'
import { type FakeHandlers, failure, held } from '../testing/fake-api.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'

// jsdom has neither blob URLs nor downloads.
const saved: { name: string; content: Blob }[] = []
let created: Blob
beforeEach(() => {
  saved.length = 0
  URL.createObjectURL = content => {
    created = content as Blob
    return 'blob:here'
  }
  HTMLAnchorElement.prototype.click = function () {
    saved.push({ name: this.download, content: created })
  }
})

async function opened(exportAccount: FakeHandlers['exportAccount']) {
  const view = openApp('/security', { exportAccount }, ada)
  const card = within(await screen.findByRole('region', { name: 'Download everything' }))
  const start = () => view.user.click(card.getByRole('button', { name: 'Download everything' }))
  await start()
  return { ...view, card, start }
}

describe('when a person downloads everything', () => {
  test('then the page shows how much has come, and saves the file under its name', async () => {
    const answer = held()
    const { card } = await opened(answer.handler)
    const bar = (await card.findByRole('progressbar')) as HTMLProgressElement
    await waitFor(() => expect(bar.value).toBe(0.5))
    expect(card.getByText('977 kB of about 1.91 MB')).toBeTruthy()
    const content = new Blob(['zip'])
    const headers = { 'content-disposition': 'attachment; filename="voxscribe.zip"' }
    answer.answer({ status: 200, body: content, headers })
    expect(await card.findByText('Your download is complete.')).toBeTruthy()
    expect(saved.map(({ name }) => name)).toEqual(['voxscribe.zip'])
  })

  test('and cancels, then the request ends, nothing is saved, and it can begin again', async () => {
    const { api, user, card, start } = await opened(held().handler)
    await user.click(await card.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(card.queryByRole('progressbar')).toBeNull())
    expect(card.queryByRole('alert')).toBeNull()
    await start()
    await waitFor(() => expect(api.of('exportAccount')).toHaveLength(2))
    expect(saved).toEqual([])
  })

  test('and it is refused, then the page says why', async () => {
    const refused = failure(429, 'Another export is still running. Please wait for it.')
    const { card } = await opened(() => ({ ...refused, body: new SentBlob([JSON.stringify(refused.body)]) }))
    expect((await card.findByRole('alert')).textContent).toContain('Another export is still running')
    expect(saved).toEqual([])
  })
})
