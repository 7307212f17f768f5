import { useConfig } from '../api/config.ts'
import { Page } from '../ui/page.tsx'
import { Questions } from '../ui/questions.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { ContactForm } from './contact-form.tsx'
import { QUESTIONS } from './questions.ts'

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
