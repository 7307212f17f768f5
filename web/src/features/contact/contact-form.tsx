import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { CONTACT_SUBJECTS } from '@voxscribe/contracts/business'
import { ContactBody } from '@voxscribe/contracts/http'
import { useForm } from 'react-hook-form'
import { call } from '../../api/client.ts'
import type { BodyFor } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Field, Select, TextArea } from '../../ui/field.tsx'
import { showFieldErrors } from '../../ui/field-errors.ts'
import { FormError, FormMessage } from '../../ui/form-error.tsx'

const subjects: Record<(typeof CONTACT_SUBJECTS)[number], string> = {
  general: 'General question',
  technical: 'Technical problem',
  billing: 'Billing',
  feature: 'Feature request',
  bug: 'Bug report',
  partnership: 'Partnership',
  other: 'Other',
}

export function ContactForm() {
  const { register, handleSubmit, formState, reset, setError } = useForm({
    resolver: zodResolver(ContactBody),
  })
  const { errors } = formState
  const message = useMutation({
    mutationFn: (body: BodyFor<'contact'>) => call('contact', { body }),
    onSuccess: () => reset(),
    onError: error => showFieldErrors(error, ['name', 'email', 'subject', 'message'], setError),
  })
  return (
    <form onSubmit={handleSubmit(values => message.mutate(values))} noValidate>
      <fieldset disabled={message.isPending} className="grid gap-5 sm:grid-cols-2">
        <div className="empty:hidden sm:col-span-2">
          <FormError error={message.error} fallback="Failed to send message. Please try again." />
          {message.isSuccess && (
            <FormMessage of={message.submittedAt} tone="success">
              Message sent successfully! We'll get back to you soon.
            </FormMessage>
          )}
        </div>
        <Field label="Name" autoComplete="name" error={errors.name?.message} {...register('name')} />
        <Field
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...register('email')}
        />
        <Select
          label="Subject"
          className="sm:col-span-2"
          error={errors.subject?.message}
          defaultValue=""
          {...register('subject')}
        >
          <option value="" disabled>
            Choose a subject
          </option>
          {CONTACT_SUBJECTS.map(subject => (
            <option key={subject} value={subject}>
              {subjects[subject]}
            </option>
          ))}
        </Select>
        <TextArea
          label="Message"
          className="sm:col-span-2"
          error={errors.message?.message}
          {...register('message')}
        />
        <Button type="submit" className="justify-self-start" busy={message.isPending} busyLabel="Sending...">
          Send Message
        </Button>
      </fieldset>
    </form>
  )
}
