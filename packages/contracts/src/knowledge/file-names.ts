import { MEDIA_ENDINGS } from './media.ts'
import { printableText } from './wording.ts'

const MEDIA_ENDING = new RegExp(`\\.(?:${MEDIA_ENDINGS.join('|')})$`, 'i')

/** Device names of Windows, which are reserved with any extension: `con`, `NUL.txt`, `lpt1 .tar.gz`. */
const DEVICE = /^(?:con|prn|aux|nul|(?:com|lpt)[\d¹²³]|conin\$|conout\$)(?= *(?:\.|$))/i

const withoutReserved = (name: string): string =>
  printableText(name)
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\s\\/:*?"<>|]+/gu, ' ')
    .replace(/^[ .]+|(?<![ .…])[ .…]+$/g, '')

/** Returns a file name without anything that file systems reject; empty if nothing is left. */
export const safeFileName = (name: string): string => withoutReserved(name).replace(DEVICE, '$&_')

/** Returns a file name with this extension, from a note’s title. */
export const fileNameFor = (title: string, ending: string): string =>
  safeFileName(`${withoutReserved(title.replace(MEDIA_ENDING, '')) || 'transcript'}${ending}`)
