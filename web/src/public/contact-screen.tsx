import { CONTACT_SUBJECTS } from '@voxscribe/contracts/business'
import { ContactBody, type PublicConfig } from '@voxscribe/contracts/http'
import { MAX_FILE_MB, SUPPORT_HOURS } from '@voxscribe/contracts/limits'
import { quantity } from '@voxscribe/contracts/wording'
import { useConfig } from '../api/config.ts'
import { i18n } from '../language/i18n.ts'
import { call } from '../session/client.ts'
import { useSession } from '../session/session.ts'
import { LoadError, Skeleton } from '../ui/feedback/loading.tsx'
import { EmailField, Field, Select, TextArea } from '../ui/form/field.tsx'
import { Form, SubmitButton, useCallForm } from '../ui/form/form.tsx'
import { Questions } from '../ui/layout/details.tsx'
import { Page } from '../ui/layout/page.tsx'

/** Leaves an answer undefined while the settings that it depends on are unknown. */
const questions = (here: PublicConfig | undefined) => ({
  [i18n.t('My note wasn’t transcribed. What should I check?')]: here && whyFailed(here.freeMinutes !== null),
  [i18n.t('I have a new WhatsApp number. What should I do?')]: i18n.t(
    'Change it on your profile page, then send us one message with the link code that your dashboard shows. From then on, notes from the new number are yours.',
  ),
  [i18n.t('The transcript is in the wrong language.')]: i18n.t(
    'The language is detected automatically. If you mostly receive notes in one language, choose it on your profile page. It helps with short or noisy notes.',
  ),
  [i18n.t('Who can read my transcripts?')]:
    here === undefined
      ? undefined
      : i18n.t(
          '{days, plural, one {You, signed in to your account. Audio files are deleted after # day unless you specify otherwise, and you can delete any transcript with its audio from your history at any time.} other {You, signed in to your account. Audio files are deleted after # days unless you specify otherwise, and you can delete any transcript with its audio from your history at any time.}}',
          { days: here.retentionDays },
        ),
  [i18n.t('Can I send a voice note by email?')]: i18n.t(
    'No: files that come by email are not transcribed. Send the note in the chat, or upload the file on the page.',
  ),
  ...(here?.plans && {
    [i18n.t('I was charged, but I don’t see the Pro plan.')]: i18n.t(
      'Open your subscription page; it can take a minute. If it still says Free, write to us with the subject Billing and the date of the payment, and we’ll fix it or refund you.',
    ),
  }),
})

function whyFailed(isLimited: boolean): string {
  const size = quantity(i18n, MAX_FILE_MB, 'megabyte')
  return isLimited
    ? i18n.t(
        'Look at it in your history: a note that failed says why. Most often the file is larger than {size}, has no sound, or is longer than the minutes you have left. If the note is not there at all, it came from a number that is not on your account.',
        { size },
      )
    : i18n.t(
        'Look at it in your history: a note that failed says why. Most often the file is larger than {size}, or has no sound. If the note is not there at all, it came from a number that is not on your account.',
        { size },
      )
}

export default function ContactScreen() {
  const config = useConfig()
  return (
    <Page
      open
      title={i18n.t('Contact')}
      heading={i18n.t('Write to us')}
      intro={i18n.t('A person reads it, and a person answers.')}
    >
      <div className="mt-10 grid gap-x-16 gap-y-12 lg:grid-cols-[1.5fr_1fr]">
        <ContactForm />
        <aside className="grid content-start gap-6 self-start rounded-card bg-sunken p-7">
          <div>
            <h2 className="text-xl">{i18n.t('By email')}</h2>
            <SupportAddress />
          </div>
          <div>
            <h2 className="text-xl">{i18n.t('Response time')}</h2>
            <p className="mt-1 text-soft">
              {i18n.t('{hours, plural, one {We reply within # hour.} other {We reply within # hours.}}', {
                hours: SUPPORT_HOURS,
              })}
            </p>
          </div>
        </aside>
      </div>
      <div className="mt-20 max-w-3xl">
        <Questions questions={questions(config.data)} />
        <LoadError of={[config]} fallback={i18n.t('Failed to load this page')} />
      </div>
    </Page>
  )
}

function SupportAddress() {
  const config = useConfig()
  if (config.isPending) return <Skeleton className="mt-2 h-6 w-52" />
  if (config.isError)
    return <p className="mt-1 text-soft">{i18n.t('Please use the form; we couldn’t load the address.')}</p>
  return (
    <a
      href={`mailto:${config.data.supportEmail}`}
      translate="no"
      className="link wrap-anywhere mt-1 inline-block"
    >
      {config.data.supportEmail}
    </a>
  )
}

const SUBJECT_NAMES: Record<(typeof CONTACT_SUBJECTS)[number], string> = {
  general: /*i18n*/ 'General question',
  technical: /*i18n*/ 'Technical problem',
  billing: /*i18n*/ 'Billing',
  feature: /*i18n*/ 'Feature request',
  bug: /*i18n*/ 'Bug report',
  partnership: /*i18n*/ 'Partnership',
  other: /*i18n*/ 'Other',
}

function ContactForm() {
  const { user } = useSession()
  const message = useCallForm({
    schema: ContactBody,
    defaultValues: user ? { name: user.name, email: user.email } : {},
    send: body => call('contact', { body }),
    onSuccess: () => message.form.reset(),
  })
  const { field } = message
  return (
    <Form
      of={message}
      fallback={i18n.t('Failed to send message. Please try again.')}
      done={i18n.t("Message sent successfully! We'll get back to you soon.")}
      className="sm:grid-cols-2"
    >
      <Field label={i18n.t('Name')} autoComplete="name" {...field('name')} />
      <EmailField {...field('email')} />
      <Select
        label={i18n.t('Subject')}
        className="sm:col-span-2"
        defaultValue=""
        options={CONTACT_SUBJECTS.map(id => ({ id, label: i18n.t(SUBJECT_NAMES[id]) }))}
        {...field('subject')}
      >
        <option value="" disabled>
          {i18n.t('Choose a subject')}
        </option>
      </Select>
      <TextArea label={i18n.t('Message|contact form')} className="sm:col-span-2" {...field('message')} />
      <SubmitButton busyLabel={i18n.t('Sending…')}>{i18n.t('Send message')}</SubmitButton>
    </Form>
  )
}
