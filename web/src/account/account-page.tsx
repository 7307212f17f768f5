import type { ReactNode } from 'react'
import { PageTitle } from '../ui/page-title.tsx'

interface AccountPageProps {
  title: string
  intro?: ReactNode
  children: ReactNode
  /** Links to the neighbouring pages. */
  below?: ReactNode
  wide?: boolean
  /** It replaces the form, and takes its focus. */
  afterForm?: boolean
}

/** The plain frame of every form about signing in or up. */
export const AccountPage = ({
  title,
  intro,
  children,
  below,
  wide = false,
  afterForm = false,
}: AccountPageProps) => (
  <div className="page flex justify-center pt-8 sm:pt-14">
    <div className={wide ? 'w-full max-w-2xl' : 'w-full max-w-md'}>
      <PageTitle title={title} takesFocus={afterForm} />
      {intro && <div className="mt-3 text-lg text-soft">{intro}</div>}
      <div className="mt-8">{children}</div>
      {below && <div className="mt-8 border-line border-t pt-5 text-soft">{below}</div>}
    </div>
  </div>
)
