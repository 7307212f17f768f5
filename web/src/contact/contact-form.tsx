import { CONTACT_SUBJECTS } from '@voxscribe/contracts/business'
import { ContactBody } from '@voxscribe/contracts/http'
import { call } from '../session/client.ts'
import { Button } from '../ui/button.tsx'
import { Field, Select, TextArea } from '../ui/field.tsx'
import { Form, FormMessage } from '../ui/form.tsx'
import { useCallForm } from '../ui/use-call-form.ts'

const SUBJECT_NAMES: Record<(typeof CONTACT_SUBJECTS)[number], string> = {
  general: 'General question',
  technical: 'Technical problem',
  billing: 'Billing',
  feature: 'Feature request',
  bug: 'Bug report',
  partnership: 'Partnership',
  other: 'Other',
}

export function ContactForm() {
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
