import type { CSSProperties } from 'react'

const heights = [
  18, 34, 62, 48, 26, 70, 92, 64, 40, 22, 54, 84, 100, 72, 46, 30, 58, 78, 52, 20, 12, 38, 66, 88, 60, 34, 24,
  50, 74, 44, 28, 16, 42, 68, 56, 30, 14, 24, 40, 20,
]

/** The shape of somebody speaking; with a duration its bars are played, one after the other. */
export const Wave = ({ seconds = 0, className }: { seconds?: number; className?: string }) => (
  <svg
    viewBox={`0 0 ${heights.length * 6 - 3} 100`}
    preserveAspectRatio="none"
    className={className}
    aria-hidden="true"
  >
    {heights.map((height, index) => (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        key={index}
        x={index * 6}
        y={50 - height / 2}
        width={3}
        height={height}
        rx={1.5}
        fill="var(--accent)"
        className={seconds ? 'played' : undefined}
        style={{ '--at': (index / heights.length) * seconds } as CSSProperties}
      />
    ))}
  </svg>
)
