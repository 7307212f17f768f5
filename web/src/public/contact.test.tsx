import { screen, waitFor } from '@testing-library/react'
import { CONTACT_SUBJECTS } from '@voxscribe/contracts/business'
import { type FakeHandlers, failure, ok } from '../testing/fake-api.ts'
import { openApp } from '../testing/render-app.tsx'

const message = { name: 'Ada', email: 'ada@example.org', subject: 'bug', message: 'It <b>broke</b>.' }

async function open(handlers: FakeHandlers = {}) {
  const app = openApp('/contact', { contact: () => ok(null), ...handlers })
  await screen.findByRole('heading', { level: 1 })
  return app
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)

async function send({ user }: Awaited<ReturnType<typeof open>>, changes: Partial<typeof message> = {}) {
  const { name, email, subject, message: text } = { ...message, ...changes }
  if (name) await user.type(field('Name'), name)
  if (email) await user.type(field('Email'), email)
  if (subject) await user.selectOptions(field('Subject'), subject)
  if (text) await user.type(field('Message'), text)
  await user.click(screen.getByRole('button', { name: 'Send message' }))
}

test('when a message is written, then it is sent, acknowledged, and the form is empty again', async () => {
  const opened = await open()
  await send(opened)
  const words = await screen.findByText("Message sent successfully! We'll get back to you soon.")
  expect(document.activeElement?.contains(words)).toBe(true)
  expect(document.activeElement).not.toBe(document.body)
  expect(opened.api.of('contact').map(request => request.body)).toEqual([message])
  for (const label of ['Name', 'Email', 'Subject', 'Message']) expect(field(label).value).toBe('')
})

test.each([
  ['name', 'Name is required'],
  ['email', 'Email is required'],
  ['subject', 'Please choose a subject'],
  ['message', 'Message is required'],
])('when the %s is left out, then it says %j and nothing is sent', async (part, words) => {
  const opened = await open()
  await send(opened, { [part]: '' })
  expect(await screen.findByText(words)).toBeTruthy()
  expect(opened.api.of('contact')).toHaveLength(0)
})

test('when it cannot be sent, then a banner says so and nothing typed is lost', async () => {
  const opened = await open({ contact: () => failure(200) })
  await send(opened)
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to send message. Please try again.')
  expect(field('Message').value).toBe(message.message)
})

test('when the page is opened, then it has address, response time, subjects and answers', async () => {
  await open()
  const address = await screen.findByRole('link', { name: 'support@example.org' })
  expect(address.getAttribute('href')).toBe('mailto:support@example.org')
  expect(screen.getByText('We reply within 24 hours.')).toBeTruthy()
  const subjects = [...field('Subject').querySelectorAll('option')].map(option => option.value)
  expect(subjects).toEqual(['', ...CONTACT_SUBJECTS])
  expect(document.querySelectorAll('details').length).toBeGreaterThanOrEqual(4)
})

test('when the installation does not answer, then the form works without its address', async () => {
  const opened = await open({ config: () => failure(404) })
  expect(await screen.findByText(/we couldn’t load the address/)).toBeTruthy()
  await send(opened)
  await waitFor(() => expect(opened.api.of('contact')).toHaveLength(1))
})
