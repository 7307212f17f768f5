import { DEFAULT_LANGUAGE } from '@voxscribe/contracts/business'
import type { ChatCommand, EventOf, NoteCommand } from '@voxscribe/contracts/events'
import { isLanguage } from '@voxscribe/contracts/languages'
import { TITLE_MAX } from '@voxscribe/contracts/limits'
import { tagIn, tagsAlone } from '@voxscribe/contracts/tags'
import { oneLine } from '@voxscribe/contracts/wording'
import { type UiLanguage, uiLanguageOf } from '@voxscribe/languages'
import type { Understood } from '../text/understanding.ts'

type Outcome = EventOf<'NoteCommandDone'>['data']['outcome']
/** A wish that changes something. */
export type Change = Extract<Outcome, { kind: 'meant' }>['wish']
/** The wish of a message: a command, one about no note, or the language in which we write. A question is kept nowhere. */
export type Wish =
  | Exclude<NoteCommand, { name: 'ask' }>
  | { name: 'ask' }
  | { name: 'chat'; command: ChatCommand }
  | Extract<Change, { name: 'language' }>

const CHANGES: string[] = ['title', 'tag', 'again', 'speakers', 'undo', 'language'] satisfies Change['name'][]

export const isChange = (wish: Wish): wish is Change => CHANGES.includes(wish.name)

const isSpoken = (id: string): boolean => id !== DEFAULT_LANGUAGE && isLanguage(id)

/** Returns what the model's answer asks for, by the rules of what a person types; null for nothing that there is. */
export function wishOf({ act, words, language }: Understood, own: UiLanguage = 'en'): Wish | null {
  const said = oneLine(words)
  switch (act) {
    case 'none':
      return null
    case 'help':
    case 'minutes':
    case 'plan':
      return { name: 'chat', command: act }
    case 'ask':
    case 'latest':
    case 'summary':
    case 'todo':
    case 'speakers':
    case 'undo':
      return { name: act }
    case 'find':
      return said ? { name: act, words: said } : null
    case 'translate':
      return isSpoken(language || own) ? { name: act, language: language || own } : null
    case 'again':
      return isSpoken(language) ? { name: act, language } : null
    case 'title':
      return said && said.length <= TITLE_MAX ? { name: act, title: said } : null
    case 'tag': {
      const tags = tagsAlone(
        said
          .split(',')
          .map(word => `#${tagIn(word.trim())}`)
          .join(' '),
      )
      return tags.length ? { name: act, tags } : null
    }
    case 'language': {
      const uiLanguage = uiLanguageOf(language)
      return uiLanguage ? { name: act, uiLanguage } : null
    }
    default:
      return { name: 'export', format: act }
  }
}
