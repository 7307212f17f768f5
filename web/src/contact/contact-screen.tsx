import { CONTACT_SUBJECTS } from '@voxscribe/contracts/business'
import { ContactBody } from '@voxscribe/contracts/http'
import { useConfig } from '../api/config.ts'
import { call } from '../session/client.ts'
import { Button } from '../ui/button.tsx'
import { Field, Select, TextArea } from '../ui/field.tsx'
import { Form, FormMessage } from '../ui/form.tsx'
import { Page } from '../ui/page.tsx'
import { Questions } from '../ui/questions.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useCallForm } from '../ui/use-call-form.ts'

const QUESTIONS = {
  'My note wasn’t transcribed. What should I check?':
    'Look at it in your history: a note that failed says why. Most often the file is larger than 16 MB, has no sound, or is longer than the minutes you have left. If the note is not there at all, it came from a number that is not on your account.',
  'I have a new WhatsApp number. What should I do?':
    'Change it on your profile page, then send us one message with the link code that your dashboard shows. From then on, notes from the new number are yours.',
  'The transcript is in the wrong language.':
    'The language is detected automatically. If you mostly receive notes in one language, choose it on your profile page. It helps with short or noisy notes.',
  'Who can read my transcripts?':
    'You, signed in to your account. Audio files are deleted after 30 days unless you specify otherwise, and you can delete any transcript with its audio from your history at any time.',
  'I was charged, but I don’t see the Pro plan.':
    'Open your subscription page; it can take a minute. If it still says Free, write to us with the subject Billing and the date of the payment, and we’ll fix it or refund you.',
}

export default function ContactScreen() {
  return (
    <Page open title="Contact" heading="Write to us" intro="A person reads it, and a person answers.">
      <div className="mt-10 grid gap-x-16 gap-y-12 lg:grid-cols-[1.5fr_1fr]">
        <ContactForm />
        <aside className="grid content-start gap-6 self-start rounded-card bg-sunken p-7">
          <div>
            <h2 className="text-xl">By email</h2>
            <SupportAddress />
          </div>
          <div>
            <h2 className="text-xl">Response time</h2>
            <p className="mt-1 text-soft">We reply within 24 hours.</p>
          </div>
        </aside>
      </div>
      <div className="mt-20 max-w-3xl">
        <Questions questions={QUESTIONS} />
      </div>
    </Page>
  )
}

function SupportAddress() {
  const config = useConfig()
  if (config.isPending) return <Skeleton className="mt-2 h-6 w-52" />
  if (config.isError)
    return <p className="mt-1 text-soft">Please use the form; we couldn’t load the address.</p>
  return (
    <a href={`mailto:${config.data.supportEmail}`} className="link mt-1 inline-block break-all">
      {config.data.supportEmail}
    </a>
  )
}

const SUBJECT_NAMES: Record<(typeof CONTACT_SUBJECTS)[number], string> = {
  general: 'General question',
  technical: 'Technical problem',
  billing: 'Billing',
  feature: 'Feature request',
  bug: 'Bug report',
  partnership: 'Partnership',
  other: 'Other',
}

function ContactForm() {
  const message = useCallForm({
    schema: ContactBody,
    send: body => call('contact', { body }),
    onSuccess: () => message.form.reset(),
  })
  const { field, call: sending } = message
  return (
    <Form of={message} fallback="Failed to send message. Please try again." className="sm:grid-cols-2">
      {sending.isSuccess && (
        <FormMessage of={sending.submittedAt} tone="success">
          Message sent successfully! We'll get back to you soon.
        </FormMessage>
      )}
      <Field label="Name" autoComplete="name" {...field('name')} />
      <Field label="Email" type="email" autoComplete="email" {...field('email')} />
      <Select
        label="Subject"
        className="sm:col-span-2"
        defaultValue=""
        options={CONTACT_SUBJECTS.map(id => ({ id, label: SUBJECT_NAMES[id] }))}
        {...field('subject')}
      >
        <option value="" disabled>
          Choose a subject
        </option>
      </Select>
      <TextArea label="Message" className="sm:col-span-2" {...field('message')} />
      <Button type="submit" className="justify-self-start" busy={sending.isPending} busyLabel="Sending...">
        Send Message
      </Button>
    </Form>
  )
}
