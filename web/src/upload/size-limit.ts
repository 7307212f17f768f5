import { quantity } from '@voxscribe/contracts/wording'
import { i18n } from '../language/i18n.ts'

/** Whether this browser can encode audio: Safari can since version 26, Firefox only on computers. */
export const canMakeSmaller = () => 'AudioEncoder' in globalThis

const sizeOf = (bytes: number) => quantity(i18n, bytes / 1024 / 1024, 'megabyte')

export const tooLargeHere = (maxBytes: number) =>
  i18n.t(
    'This file is larger than {size}, and this browser can’t make it smaller. Please send it in shorter parts, or from another browser.',
    { size: sizeOf(maxBytes) },
  )

export const tooLargeAsSound = (maxBytes: number) =>
  i18n.t('Even its sound alone is larger than {size}. Please send it in shorter parts.', {
    size: sizeOf(maxBytes),
  })
