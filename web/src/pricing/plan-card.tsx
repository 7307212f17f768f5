import type { ReactNode } from 'react'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/icon.tsx'

interface PlanCardProps {
  name: string
  price: string
  minutes: string
  points: ReactNode[]
  preferred?: boolean
  /** The button. */
  children: ReactNode
}

export const PlanCard = ({ name, price, minutes, points, preferred, children }: PlanCardProps) => (
  <Card className={classes('flex flex-col gap-6 p-7 sm:p-9', preferred && 'ring-2 ring-accent')}>
    <div>
      <h2 className="text-2xl">{name}</h2>
      <p className="mt-3">
        <span className="font-bold font-display text-5xl tracking-tight">{price}</span>
        <span className="text-soft"> per month</span>
      </p>
      <p className="mt-2 font-semibold text-lg">{minutes}</p>
    </div>
    <ul className="grid flex-1 content-start gap-2.5">
      {points.map((point, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change
        <li key={index} className="flex gap-3">
          <Icon of="m4 12 5 5L20 7" width={3} className="mt-1 size-4.5 shrink-0 text-accent" />
          <span>{point}</span>
        </li>
      ))}
    </ul>
    {children}
  </Card>
)
