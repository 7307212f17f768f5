const HEIGHTS = [
  18, 34, 62, 48, 26, 70, 92, 64, 40, 22, 54, 84, 100, 72, 46, 30, 58, 78, 52, 20, 12, 38, 66, 88, 60, 34, 24,
  50, 74, 44, 28, 16, 42, 68, 56, 30, 14, 24, 40, 20,
]
const shape = HEIGHTS.map((height, index) => `M${index * 6 + 1.5} ${50 - height / 2}v${height}`).join('')

export const Wave = ({ className }: { className?: string }) => (
  <svg
    viewBox={`0 0 ${HEIGHTS.length * 6 - 3} 100`}
    preserveAspectRatio="none"
    className={className}
    aria-hidden="true"
  >
    <path d={shape} stroke="currentColor" strokeWidth="3" />
  </svg>
)
