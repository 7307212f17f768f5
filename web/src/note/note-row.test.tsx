import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { foundIn } from '@voxscribe/contracts/search-words'
import { MemoryRouter } from 'react-router-dom'
import { completed } from '../testing/notes.ts'
import { excerptFrom, NoteRow } from './note-row.tsx'

function show(text: string, search: string, title = 'note.ogg') {
  const { container } = render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <NoteRow
          note={{
            ...completed,
            text,
            title,
            titleFrom: title === 'note.ogg' ? 'file' : 'text',
            audioAvailable: false,
          }}
          search={search}
        />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const line = container.querySelector('p[lang]')
  return {
    marks: [...(line?.querySelectorAll('mark') ?? [])].map(mark => mark.textContent),
    shown: line?.textContent ?? '',
  }
}

test.each([
  ['The train, the Trainer', 'train THE', ['The', 'train', 'the', 'Train']],
  ['Straße und naïve Leute', 'strasse naive', ['Straße', 'naïve']],
  ['東京都の会議室', '会議', ['会議']],
  ['<b>bold</b>', 'bold', ['bold']],
  ['nothing here', '', []],
])(
  'when "%s" is searched for "%s", then each word is marked, and no letter is lost',
  (text, search, words) => {
    expect(show(text, search)).toEqual({ marks: words, shown: text })
  },
)

test('when a long text is searched, then the piece around the first place is shown', () => {
  const text = `${'far away '.repeat(200)}the train leaves ${'at noon '.repeat(100)}`
  const { marks, shown } = show(text, 'train')
  expect(marks).toEqual(['train'])
  expect(shown).toMatch(/^… .{0,20}away the train leaves at noon/)
  expect(show(text, 'voice').shown).toMatch(/^far away/)
  expect(show(text, 'far').shown).toMatch(/^far away/)
})

test('when a text is cut before a match, then no character is cut in two', () => {
  const text = `x${'🎉'.repeat(300)}会議`
  const at = excerptFrom(text, foundIn(text, '会議'))
  expect([...text.slice(at)][0]).toBe('🎉')
})

test.each([
  ['Um, the train is late. Go ahead.', 'the train is late', 'Go ahead.'],
  ['The train is late.', 'The train is late', ''],
  ['The  train', 'The train', ''],
])(
  'when the title is from the text "%s", then the text goes on in the line below, once',
  (text, title, line) => {
    expect(show(text, '', title).shown).toBe(line)
    expect(screen.getAllByRole('heading', { name: title })).toHaveLength(1)
  },
)

test.each([
  ['The train is late. Go ahead.', 'train', 'The train is late', 'Go ahead.', []],
  ['The train is late. No train today.', 'train', 'The train is late', 'No train today.', ['train']],
])(
  'when "%s" is searched for "%s", then its title is not said twice',
  (text, search, title, shown, marks) => {
    expect(show(text, search, title)).toEqual({ shown, marks })
    const heading = screen.getByRole('heading', { name: title })
    expect(heading.querySelector('mark')?.textContent).toBe(search)
    expect([heading.className, heading.innerHTML].join()).not.toContain('truncate')
  },
)
