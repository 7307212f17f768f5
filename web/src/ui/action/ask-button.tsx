import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, type DialogProps } from './dialog.tsx'

interface AskButtonProps extends Omit<DialogProps, 'onClose' | 'onConfirm' | 'busy'> {
  label: ReactNode
  variant?: 'secondary' | 'quiet'
  onAsk?(): void
  /** Must not reject. */
  onConfirm(): unknown
}

/** A small button that asks before it acts. The question stays until the action is done. */
export function AskButton({ label, variant = 'quiet', onAsk, onConfirm, ...question }: AskButtonProps) {
  const [stage, setStage] = useState<'closed' | 'asking' | 'busy'>('closed')
  return (
    <>
      <Button
        variant={variant}
        size="small"
        aria-haspopup="dialog"
        onClick={() => {
          onAsk?.()
          setStage('asking')
        }}
      >
        {label}
      </Button>
      {stage !== 'closed' && (
        <Dialog
          {...question}
          busy={stage === 'busy'}
          onClose={() => setStage('closed')}
          onConfirm={async () => {
            setStage('busy')
            await onConfirm()
            setStage('closed')
          }}
        />
      )}
    </>
  )
}
