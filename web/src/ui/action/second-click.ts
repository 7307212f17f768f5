import type { MouseEvent } from 'react'

/** For `onClickCapture` of a list: a double click's second half may meet another line than the first. */
export function dropSecondClick(event: MouseEvent) {
  if (event.detail < 2) return
  event.preventDefault()
  event.stopPropagation()
}
