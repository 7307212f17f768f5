import type { MouseEvent } from 'react'

/** For `onClickCapture` of a list: the second half of a double click may hit a different line than the first. */
export function dropSecondClick(event: MouseEvent) {
  if (event.detail < 2) return
  event.preventDefault()
  event.stopPropagation()
}
