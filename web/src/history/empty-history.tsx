import type { ReactNode } from 'react'
import { Button, ButtonLink } from '../ui/button.tsx'

const Empty = ({ title, children, action }: { title: string; children: ReactNode; action: ReactNode }) => (
  <div className="grid justify-items-center gap-3 rounded-card border border-edge/50 border-dashed px-6 py-14 text-center">
    <h2 className="text-xl">{title}</h2>
    <p className="max-w-md text-soft">{children}</p>
    <div className="mt-2">{action}</div>
  </div>
)

export const EmptyHistory = () => (
  <Empty title="No transcriptions yet" action={<ButtonLink to="/dashboard">Show the number</ButtonLink>}>
    Send a voice note to your WhatsApp number. It appears here within seconds, with its text soon after.
  </Empty>
)

export const NothingFound = ({ onClear }: { onClear(): void }) => (
  <Empty
    title="Nothing found"
    action={
      <Button variant="secondary" onClick={onClear}>
        Clear search and filters
      </Button>
    }
  >
    Nothing matches. Search looks for all the words in text, title and file name.
  </Empty>
)
