import type { MouseEvent } from 'react'

/**
 * For `onClickCapture` of a list: drops the second half of a double click. The first may have taken a line away and
 * moved another one under the pointer.
 */
export function dropSecondClick(event: MouseEvent) {
  if (event.detail < 2) return
  event.preventDefault()
  event.stopPropagation()
}
