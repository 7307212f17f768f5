import { Component, type ReactNode } from 'react'

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
