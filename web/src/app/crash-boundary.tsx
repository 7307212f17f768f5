import { Component, type ReactNode } from 'react'
import { CrashScreen } from './crash-screen.tsx'

interface CrashBoundaryProps {
  /** A change of page tries again. */
  place: string
  children: ReactNode
}

/** A class, because React reports crashes of children only to classes. */
export class CrashBoundary extends Component<CrashBoundaryProps, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override componentDidUpdate(before: CrashBoundaryProps) {
    if (before.place !== this.props.place && this.state.crashed) this.setState({ crashed: false })
  }

  override render() {
    return this.state.crashed ? <CrashScreen /> : this.props.children
  }
}
