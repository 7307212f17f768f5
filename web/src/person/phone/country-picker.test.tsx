import { render, screen, within } from '@testing-library/react'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { someCountries } from '../../testing/people.ts'
import { speak } from '../../testing/speak.ts'
import { CountryPicker, defaultCountryId, matchingCountries } from './country-picker.tsx'

function Form() {
  const [id, setId] = useState(defaultCountryId(someCountries))
  return (
    <>
      <CountryPicker label="Country" countries={someCountries} value={id} onChange={setId} />
      <output>{id}</output>
      <button type="button">Elsewhere</button>
    </>
  )
}

const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Country' })
const shown = () => screen.queryAllByRole('option').map(option => option.textContent)
const chosen = () => screen.getByRole('status').textContent

function open() {
  render(<Form />)
  return userEvent.setup()
}

test.each([
  ['germ', ['Germany']],
  ['united', ['United Kingdom', 'United States']],
  ['+44', ['United Kingdom']],
  ['44', ['United Kingdom']],
  ['+1', ['United States', 'Canada']],
  ['de', ['Germany']],
  ['DEU', ['Germany']],
  ['us', ['United States']],
  ['ca', ['Canada']],
  ['an', ['Afghanistan', 'Canada', 'Germany']],
  ['+9', ['Afghanistan', 'India']],
  ['zz', []],
])('when %j is searched for, then %j are found', (text, labels) => {
  expect(matchingCountries(someCountries, text).map(country => country.label)).toEqual(labels)
})

test('when a code is typed, then its country stands before those with the letters in their names', () => {
  const australia = { id: '036', code: 'AU', iso: 'AUS', label: 'Australia', phonecode: '+61' }
  const found = matchingCountries([australia, ...someCountries], 'us')
  expect(found.map(country => country.code)).toEqual(['US', 'AU'])
})

test('when a name is typed without its accents, then it is found', () => {
  const islands = { id: '248', code: 'AX', iso: 'ALA', label: 'Åland Islands', phonecode: '+358' }
  expect(matchingCountries([...someCountries, islands], 'aland')).toEqual([islands])
})

test.each([
  ['the United States are among them', someCountries, '840'],
  ['they are not', someCountries.slice(0, 3), '004'],
  ['there are none', [], ''],
])('when %s, then that is the default', (_, countries, id) => {
  expect(defaultCountryId(countries)).toBe(id)
})

test('when it is opened, then it shows what is chosen and the whole list', async () => {
  const user = open()
  expect(box().value).toBe('United States (+1)')
  expect(shown()).toEqual([])
  await user.click(box())
  expect(shown()).toHaveLength(someCountries.length)
  expect(box().getAttribute('aria-expanded')).toBe('true')
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('United States+1')
})

test('when one searches and presses Enter, then the first found is chosen', async () => {
  const user = open()
  await user.click(box())
  await user.keyboard('germ')
  expect(shown()).toEqual(['Germany+49'])
  await user.keyboard('{Enter}')
  expect(chosen()).toBe('276')
  expect(box().value).toBe('Germany (+49)')
  expect(shown()).toEqual([])
})

test.each([
  ['Escape is pressed', (user: UserEvent) => user.keyboard('{Escape}')],
  ['one presses elsewhere', (user: UserEvent) => user.click(screen.getByText('Elsewhere'))],
])('when %s, then it closes and what was chosen stays', async (_, close) => {
  const user = open()
  await user.click(box())
  await user.keyboard('germ')
  await close(user)
  expect(shown()).toEqual([])
  expect(chosen()).toBe('840')
  expect(box().value).toBe('United States (+1)')
})

test('when an entry is pressed, then it is chosen; nothing found says so', async () => {
  const user = open()
  await user.click(box())
  await user.click(within(screen.getByRole('listbox')).getByText('India'))
  expect(chosen()).toBe('356')
  await user.clear(box())
  await user.keyboard('zzz')
  expect(screen.getByText('No country found').closest('[role=listbox]')).toBeNull()
})

describe('when the page is in another language', () => {
  afterEach(() => speak('en'))

  test('then names are in it, in its order', async () => {
    speak('de')
    const user = open()
    expect(box().value).toBe('Vereinigte Staaten (+1)')
    await user.click(box())
    const names = 'Afghanistan, Deutschland, Indien, Kanada, Vereinigte Staaten, Vereinigtes Königreich'
    expect(shown().map(entry => entry?.split('+')[0])).toEqual(names.split(', '))
  })

  test.each([['deutsch'], ['Germ'], ['+49'], ['DEU']])('then %s finds Germany', async typed => {
    speak('de')
    const user = open()
    await user.click(box())
    await user.keyboard(`${typed}{Enter}`)
    expect(chosen()).toBe('276')
    expect(box().value).toBe('Deutschland (+49)')
  })

  test('and it runs from right to left, then the code does not', () => {
    speak('ar')
    open()
    expect(box().value).toBe('الولايات المتحدة (\u2066+1\u2069)')
  })
})
