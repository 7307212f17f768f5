import { Component, type ReactNode } from 'react'
import { i18n } from '../../language/i18n.ts'
import { Button } from '../action/button.tsx'

interface CrashBoundaryProps {
  /** A change, such as another page or a newer version, renders the children again. */
  place: string
  /** Shown instead of the children after a crash. */
  fallback: ReactNode
  children: ReactNode
}

/** A class, because React reports crashes of children only to class components. */
export class CrashBoundary extends Component<CrashBoundaryProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override componentDidUpdate(before: CrashBoundaryProps) {
    if (before.place !== this.props.place && this.state.crashed) this.setState({ crashed: false })
  }

  override render() {
    return this.state.crashed ? this.props.fallback : this.props.children
  }
}

/** In place of a part of a page: its code may be of a version that the server no longer has. */
export const PartFailed = () => (
  <p className="flex flex-wrap items-center gap-x-3 text-soft">
    {i18n.t('This part couldn’t be shown.')}{' '}
    <Button variant="quiet" size="small" onClick={() => window.location.reload()}>
      {i18n.t('Load again')}
    </Button>
  </p>
)
