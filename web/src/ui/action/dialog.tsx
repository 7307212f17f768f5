import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from './button.tsx'
import { focusIfLost } from './use-lost-focus.ts'

export interface DialogProps {
  title: string
  children: ReactNode
  /** Called for Escape and the dismiss button; after `onConfirm` the owner decides. */
  onClose(): void
  /** Makes the dialog a question; without it, it's an alert. */
  onConfirm?(): void
  confirmLabel?: string
  closeLabel?: string
  danger?: boolean
  busy?: boolean
}

/** A question or an alert in the page. The browser's own `dialog` traps the focus and returns it afterwards. */
export function Dialog({
  title,
  children,
  onClose,
  onConfirm,
  confirmLabel,
  closeLabel = onConfirm ? i18n.t('Cancel|question') : i18n.t('OK'),
  danger = false,
  busy = false,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const textId = useId()
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    const around = dialog?.closest<HTMLElement>('[tabindex="-1"]')
    return () => {
      dialog?.close()
      // The confirmed action may have removed the line of the button that asked.
      focusIfLost(around, { preventScroll: true })
    }
  }, [])
  return (
    <dialog
      ref={ref}
      role={onConfirm ? undefined : 'alertdialog'}
      aria-labelledby={titleId}
      aria-describedby={textId}
      onCancel={event => {
        event.preventDefault()
        if (!busy) onClose()
      }}
      // Browsers close it at the second Escape, or at a phone's Back, whatever the page says.
      onClose={() => ref.current?.open || onClose()}
      className="m-auto w-[min(30rem,calc(100vw-2rem))] rounded-card border border-line bg-surface p-6 text-ink shadow-sheet backdrop:bg-[rgb(13_15_21/0.55)]"
    >
      <h2 id={titleId} className="text-xl">
        {title}
      </h2>
      <div id={textId} className="mt-3 text-soft">
        {children}
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button variant={onConfirm ? 'secondary' : 'primary'} onClick={onClose} disabled={busy}>
          {closeLabel}
        </Button>
        {onConfirm && (
          <Button variant={danger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        )}
      </div>
    </dialog>
  )
}
