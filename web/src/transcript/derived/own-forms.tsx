import { useQuery } from '@tanstack/react-query'
import type { FormText } from '@voxscribe/contracts/http'
import { i18n } from '../../language/i18n.ts'
import { formsQuery } from '../../note/forms.ts'
import { NOTES } from '../../note/use-transcript.ts'
import { call } from '../../session/client.ts'
import { Button, TextLink } from '../../ui/action/button.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { LoadError } from '../../ui/feedback/loading.tsx'
import { useAction } from '../../ui/feedback/use-action.ts'

/** The texts of a note in the person's own forms, and buttons that have the others made. */
export function OwnForms({ id, texts }: { id: string; texts: FormText[] }) {
  const forms = useQuery(formsQuery)
  const isThere = (formId: string) =>
    texts.some(text => text.formId === formId && text.status !== 'failed' && !text.stale)
  const left = forms.data?.forms.filter(form => !isThere(form.id)) ?? []
  return (
    <section aria-label={i18n.t('In your forms')} className="mt-3 grid gap-3 border-line border-t pt-3">
      {texts.map(text => (
        <Made key={text.formId} {...text} />
      ))}
      <LoadError of={[forms]} fallback={i18n.t('Failed to load your forms')} />
      <div className="flex flex-wrap items-center gap-2">
        {left.map(form => (
          <Make key={form.id} id={id} formId={form.id} name={form.name} />
        ))}
        {forms.data && <TextLink to="/words">{i18n.t('Your forms')}</TextLink>}
      </div>
    </section>
  )
}

const Made = ({ name, status, text, stale }: FormText) => (
  <article>
    <h3 className="wrap-anywhere text-base" dir="auto">
      {name}
    </h3>
    {status === 'working' && <p className="text-soft">{i18n.t('Being written…')}</p>}
    {status === 'failed' && <p className="text-warn">{i18n.t('This text couldn’t be written.')}</p>}
    {status === 'done' && (
      <>
        <p dir="auto" className="wrap-anywhere mt-1 whitespace-pre-line">
          {text}
        </p>
        <div className="mt-1 flex flex-wrap items-center gap-3 text-soft text-xs">
          <CopyButton text={text} label={i18n.t('Copy')} variant="quiet" />
          {i18n.t('Made by a machine. It may contain mistakes.')}
          {stale && <strong className="text-warn">{i18n.t('The text has changed since.')}</strong>}
        </div>
      </>
    )}
  </article>
)

function Make({ id, formId, name }: { id: string; formId: string; name: string }) {
  const making = useAction({
    send: () => call('makeText', { params: { id }, body: { formId } }),
    failed: i18n.t('That didn’t work'),
    reload: NOTES,
  })
  return (
    <Button
      size="small"
      variant="secondary"
      busy={making.isPending}
      busyLabel={i18n.t('Being written…')}
      onClick={() => making.run()}
    >
      <bdi>{name}</bdi>
    </Button>
  )
}
