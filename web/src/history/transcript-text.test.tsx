import { render, screen } from '@testing-library/react'
import { foundIn } from '@voxscribe/contracts/search-words'
import { excerptFrom, TranscriptText } from './transcript-text.tsx'

function show(text: string, search: string) {
  const { container } = render(<TranscriptText text={text} language="en" search={search} />)
  const marks = [...container.querySelectorAll('mark')].map(mark => mark.textContent)
  return { marks, shown: container.querySelector('p')?.textContent ?? '' }
}

describe('when a text is searched', () => {
  test.each([
    ['The train, the Trainer', 'train THE', ['The', 'train', 'the', 'Train']],
    ['Straße und naïve Leute', 'strasse naive', ['Straße', 'naïve']],
    ['東京都の会議室', '会議', ['会議']],
    ['<b>bold</b>', 'bold', ['bold']],
    ['nothing here', '', []],
  ])('then in "%s" each word of "%s" is marked, and no letter is lost', (text, search, words) => {
    expect(show(text, search)).toEqual({ marks: words, shown: text })
  })

  test('and it is long, then the piece around the first place is shown', () => {
    const text = `${'far away '.repeat(200)}the train leaves ${'at noon '.repeat(100)}`
    const { marks, shown } = show(text, 'train')
    expect(marks).toEqual(['train'])
    expect(shown).toMatch(/^… far .* the train leaves at noon/)
    expect(shown.length).toBeLessThan(450)
    expect(screen.getByRole('button', { name: 'Show all' })).toBeTruthy()
  })

  test('and nothing is in the text, or at its beginning, then it begins as ever', () => {
    const text = `the train ${'at noon '.repeat(100)}`
    expect(show(text, 'train').shown).toMatch(/^the train/)
    expect(show(text, 'voice').shown).toMatch(/^the train/)
  })

  test('then no character is cut in two', () => {
    const text = `x${'🎉'.repeat(300)}会議`
    const at = excerptFrom(text, foundIn(text, '会議'))
    expect([...text.slice(at)][0]).toBe('🎉')
  })
})
