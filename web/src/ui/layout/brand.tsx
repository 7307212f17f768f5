import { Link } from 'react-router-dom'

/** The product's logo, a wave that becomes lines of writing, and its name. */
export const Brand = () => (
  <Link to="/" className="flex items-center gap-2 font-bold font-display text-xl tracking-tight">
    <svg
      viewBox="0 0 32 32"
      className="size-7"
      fill="none"
      strokeLinecap="round"
      strokeWidth="3"
      aria-hidden="true"
    >
      <path d="M4 13v6M10 8v16M16 11v10" className="stroke-accent" />
      <path d="M22 11.500h7M22 20.500h7" className="stroke-ink" />
    </svg>
    Voxscribe
  </Link>
)
