import type { UiLanguage } from '@voxscribe/languages'
import { type Command, commandIn } from '../webhooks/commands.ts'

/** A text and its meaning: `help`, `file:txt`, `translate:en`, `find:bill`, `none`. */
export interface Phrase {
  language: UiLanguage
  quoting: boolean
  say: string
  means: string
}

function shortFor(command: Command | null): string {
  if (command === null) return 'thanks'
  if (typeof command === 'string') return command === 'hint' ? 'none' : command
  switch (command.name) {
    case 'export':
      return `file:${command.format}`
    case 'choose':
      return command.isRetry ? 'again' : 'yes'
    case 'language':
      return `language:${command.uiLanguage}`
    case 'again':
    case 'translate':
    case 'which':
      return `${command.name}:${command.language}`
    case 'find':
      return `find:${command.words.toLowerCase()}`
    case 'form':
      return `form:${command.form}`
    case 'tag':
      return `tag:${command.tags.join(',')}`
    case 'title':
      return `title:${command.title}`
    default:
      return command.name
  }
}

export const understood = ({ language, quoting, say }: Phrase): string =>
  shortFor(commandIn(say, { language, isQuoting: quoting, hasTextModel: true }))
