export interface Span {
  /** Seconds from the beginning. */
  from: number
  to: number
}
