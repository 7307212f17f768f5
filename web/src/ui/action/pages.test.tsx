import { render, screen } from '@testing-library/react'
import { Pages } from './pages.tsx'

test('when there are thousands of pages, then their numbers are written as all others', () => {
  render(<Pages page={1000} totalPages={1234} busy={false} onOpen={() => {}} />)
  expect(screen.getByText('Page 1,000 of 1,234')).toBeTruthy()
  expect(screen.getByText('1,000 / 1,234')).toBeTruthy()
})
