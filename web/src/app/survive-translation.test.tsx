import { screen, waitFor } from '@testing-library/react'
import { ok } from '../testing/fake-api.ts'
import { completed, pageOf } from '../testing/notes.ts'
import { ada } from '../testing/people.ts'
import { openApp } from '../testing/render-app.tsx'
import { surviveTranslation } from './survive-translation.ts'

beforeAll(surviveTranslation)

/** Replaces all texts like the translators of Chrome and Edge, and returns how many. */
function translatePage(): number {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) {
    const text = walker.currentNode as Text
    if (text.data.trim() && !text.parentElement?.closest('font, option')) texts.push(text)
  }
  for (const text of texts) {
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    text.replaceWith(outer)
    outer.append(inner)
    inner.append(`¡${text.data}!`)
  }
  return texts.length
}

test('when a translated list is searched and emptied, then it shows what is found, once, and no crash', async () => {
  const note = { ...completed, title: 'Lunch at noon', text: 'We meet by the river.' }
  const app = openApp('/transcription-history', { transcriptions: () => ok(pageOf([note])) }, ada)
  await screen.findByRole('link', { name: 'Lunch at noon' })
  expect(translatePage()).toBeGreaterThan(20)
  await screen.findByRole('link', { name: '¡Lunch at noon!' })

  const field = screen.getByRole('searchbox')
  for (const typed of ['lunch', ' noon']) {
    await app.user.type(field, typed)
    await waitFor(() =>
      expect(screen.getAllByRole('mark').at(-1)?.textContent).toMatch(new RegExp(typed.trim(), 'i')),
    )
    translatePage()
  }
  await app.user.clear(field)
  await waitFor(() => expect(screen.queryAllByRole('mark')).toEqual([]))
  expect(screen.getByRole('link', { name: /Lunch at noon/ }).textContent).toBe('Lunch at noon')
  expect(screen.queryByText(/Unexpected Application Error/)).toBeNull()
})
