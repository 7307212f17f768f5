import type { EventOf } from '@voxscribe/contracts/events'
import { fileNameFor } from '@voxscribe/contracts/file-names'
import { languageName } from '@voxscribe/contracts/languages'
import { DELETED_FREE_SECONDS, FEW_LEFT, UNDELETE_MINUTES } from '@voxscribe/contracts/limits'
import { localTitle } from '@voxscribe/contracts/local-title'
import { reason, SPEAKERS_FAILED, sentenceOf } from '@voxscribe/contracts/reasons'
import { REFUSALS } from '@voxscribe/contracts/refusals'
import { dateOf, lengthInWords, listIn, momentOf, roughly } from '@voxscribe/contracts/wording'
import type { I18n } from '@voxscribe/languages'
import { excerptOf, failureText } from './chat-texts.ts'
import { shielded } from './marks.ts'

/** Longest title or line of a note in a list, and longest sentence of an answer: three of each fit in one message. */
const HIT_MAX = 120
const CLAIM_MAX = 240

type Outcome = EventOf<'NoteCommandDone'>['data']['outcome']
type Of<Kind extends Outcome['kind']> = Extract<Outcome, { kind: Kind }>
/** Formats people's own words. */
type Words = typeof shielded
type TextOf<Kind extends Outcome['kind']> = (
  i18n: I18n,
  outcome: Of<Kind>,
  words: Words,
  publicUrl: string,
) => string

const tomorrow = (i18n: I18n) =>
  i18n.t('That’s as much as I can summarize and translate for you today. Please ask me again tomorrow.')

const REFUSED: Record<Of<'refused'>['why'], (i18n: I18n) => string> = {
  no_note: i18n =>
    i18n.t(
      'You haven’t sent me a note yet. Send or forward me a voice note, audio or video, and I’ll reply with the text.',
    ),
  unknown_note: i18n =>
    i18n.t(
      'I can’t find that note. Perhaps it was deleted, or it isn’t from this chat. Reply to one of your notes or to its text, or write “find” and a word from it.',
    ),
  running: i18n => i18n.t('I’m still working on this note. Please ask me again once I’ve sent its text.'),
  no_audio: i18n =>
    i18n.t('The audio of this note is gone, so I can’t transcribe it again. Please send it once more.'),
  no_speech: i18n => i18n.t('There is no speech in this note, so there is no text to send.'),
  no_words: i18n => i18n.t('Write “find” and a word from the note, for example: find birthday'),
  no_question: i18n => i18n.t('Write “ask” and your question, for example: ask when does the plumber come?'),
  same_language: i18n => i18n.t('The note is already in this language.'),
  transcript_too_long: i18n => i18n.t(REFUSALS.transcript_too_long.text),
  no_answer: i18n => i18n.t('I couldn’t do that just now. Please ask me again in a few minutes.'),
  text_too_often: tomorrow,
  text_day_is_full: tomorrow,
  text_budget_spent: tomorrow,
  no_such_file: i18n =>
    i18n.t('I can’t make this kind of file yet. I can send the text as “txt”, “srt” or “docx”.'),
  no_such_hit: i18n => i18n.t('There is no note with this number. Write one of the numbers that I sent you.'),
  no_speaker_model: i18n => i18n.t(REFUSALS.no_speaker_model.text),
  speakers_need_audio: i18n => i18n.t(REFUSALS.speakers_need_audio.text),
  speakers_failed: i18n => sentenceOf(i18n, reason(SPEAKERS_FAILED)),
  nothing_deleted: i18n =>
    i18n.t(
      '{minutes, plural, one {There is nothing to bring back: a finished note that you delete here can be restored for # minute.} other {There is nothing to bring back: a finished note that you delete here can be restored for # minutes.}}',
      { minutes: UNDELETE_MINUTES },
    ),
  too_many_words: i18n => i18n.t('That’s too long to search for. Please write “find” and only a few words.'),
}

/** Asks whether the message meant this command. */
function meantText(i18n: I18n, wish: Of<'meant'>['wish'], words: Words): string {
  switch (wish.name) {
    case 'title':
      return i18n.t('Shall I name this note “{title}”?', { title: words(wish.title) })
    case 'tag':
      return i18n.t('Shall I tag this note with {tags}?', { tags: listIn(i18n, wish.tags.map(words)) })
    case 'again':
      return i18n.t('Shall I transcribe this note again in {language}?', {
        language: languageName(i18n, wish.language),
      })
    case 'speakers':
      return i18n.t('Shall I find out who speaks in this note?')
    case 'undo':
      return i18n.t('Shall I bring back the note that you deleted last?')
    case 'language':
      return i18n.t('Shall I write to you in {language} from now on?', {
        language: languageName(i18n, wish.uiLanguage),
      })
  }
}

const machineMade = (i18n: I18n) => i18n.t('Made by a machine. It may contain mistakes.')

/** Returns a gist and its tasks. */
export function gistText(
  i18n: I18n,
  { lines, tasks }: Pick<Of<'gist'>, 'lines' | 'tasks'>,
  words: Words = shielded,
): string {
  const todo = tasks.map(({ text, due }) => `• ${words(text)}${due ? ` (${dateOf(i18n, due)})` : ''}`)
  const parts = [words(lines.join('\n')), todo.join('\n'), `_${machineMade(i18n)}_`]
  return parts.filter(Boolean).join('\n\n')
}

/** Returns the file of a reply: the requested one, or `whole` if that is too long for a message. */
export function fileOf(i18n: I18n, outcome: Outcome, isTooLong: boolean, whole: () => string) {
  if (outcome.kind === 'file') return { name: outcome.name, content: Buffer.from(outcome.content, 'base64') }
  if (!isTooLong) return undefined
  const title = 'title' in outcome ? localTitle(i18n, outcome.title ?? '') : ''
  return { name: fileNameFor(title, '.txt'), content: whole() }
}

const deletedText: TextOf<'deleted'> = (i18n, { title, isCharged, isChargedInPart, canUndo }, words) => {
  const deleted =
    title === null
      ? i18n.t('Deleted.')
      : i18n.t('Deleted: “{title}”', { title: words(localTitle(i18n, title)) })
  const undo = i18n.t(
    '{minutes, plural, one {Write “undo” within # minute to bring it back.} other {Write “undo” within # minutes to bring it back.}}',
    { minutes: UNDELETE_MINUTES },
  )
  const charged = i18n.t(
    'Its minutes were charged, because you have deleted many notes while they were being transcribed.',
  )
  const read = i18n.t('The part that was already transcribed was charged, less {free}.', {
    free: lengthInWords(i18n, DELETED_FREE_SECONDS),
  })
  return [deleted, canUndo && undo, isCharged && charged, isChargedInPart && read].filter(Boolean).join('\n')
}

const sharedText: TextOf<'shared'> = (i18n, { title, url, expiresAt }, words) =>
  [
    i18n.t('Anyone with this link can read “{title}” until {date}:', {
      title: words(localTitle(i18n, title)),
      date: dateOf(i18n, expiresAt),
    }),
    url,
    i18n.t('You can turn the link off on the note’s page.'),
  ].join('\n')

/** Lists notes with the numbers that open them. */
const hitsIn = (i18n: I18n, notes: Of<'found'>['notes'], words: Words): string[] =>
  notes.map(({ title, createdAt, line }, at) =>
    [
      `${at + 1}. *${momentOf(i18n, createdAt)}*: ${words(excerptOf(localTitle(i18n, title), HIT_MAX))}`,
      line && `_${words(excerptOf(line, HIT_MAX))}_`,
    ]
      .filter(Boolean)
      .join('\n'),
  )

/** Suggests the next step with listed notes. */
const nextIn = (i18n: I18n, notes: Of<'found'>['notes'], publicUrl: string): string =>
  notes.length === 1
    ? i18n.t('Reply to this message with “txt”, “srt”, “docx”, “delete” or a language.')
    : i18n.t('Write its number to read one, or see all: {url}', { url: `${publicUrl}/transcription-history` })

const foundText: TextOf<'found'> = (i18n, { words: sought, notes }, shield, publicUrl) => {
  const words = shield(sought)
  if (!notes.length) return i18n.t('I found no note with “{words}”.', { words })
  const above = words ? i18n.t('The newest notes with “{words}”:', { words }) : i18n.t('Your newest notes:')
  return [above, ...hitsIn(i18n, notes, shield), nextIn(i18n, notes, publicUrl)].join('\n')
}

/** Returns an answer from the notes with its quotes, or else the closest notes. */
const answeredText: TextOf<'answered'> = (i18n, { claims, notes, isAsked, left }, words, publicUrl) => {
  const answer = claims.map(
    ({ text, quotes }) =>
      `${words(excerptOf(text, CLAIM_MAX))} ${quotes.map(quote => `[${quote}]`).join(' ')}`,
  )
  const none = !claims.length && (isAsked || !notes.length) && i18n.t('Your notes don’t say.')
  const closest = !claims.length && notes.length > 0 && i18n.t('These come closest:')
  const listed = notes.length && [...hitsIn(i18n, notes, words), nextIn(i18n, notes, publicUrl)].join('\n')
  const few =
    left !== null &&
    left <= FEW_LEFT &&
    i18n.t('{left, plural, one {# more question or text today} other {# more questions or texts today}}', {
      left,
    })
  const above = [...answer, [none, closest].filter(Boolean).join(' ')].filter(Boolean).join('\n')
  const below = [claims.length && `_${machineMade(i18n)}_`, few].filter(Boolean).join('\n')
  return [above, listed, below].filter(Boolean).join('\n\n')
}

const formsText: TextOf<'forms'> = (i18n, { names }, words, publicUrl) =>
  names.length
    ? i18n.t('You have these forms: {names}. Write “form” and one of these names.', {
        names: listIn(i18n, names.map(words)),
      })
    : i18n.t('You have no forms yet. Describe one on this page: {url}', { url: `${publicUrl}/words` })

const todosText: TextOf<'todos'> = (i18n, { ticked, todos, more }, words, publicUrl) => {
  const done = ticked !== null && i18n.t('Done: “{text}”', { text: words(ticked) })
  const lines = todos.map(({ text, due, title }, at) =>
    [
      `${at + 1}. ${words(text)}${due ? ` (${dateOf(i18n, due)})` : ''}`,
      `_${words(localTitle(i18n, title))}_`,
    ].join('\n'),
  )
  const next = todos.length
    ? i18n.t('Write the number of one that is done.')
    : i18n.t('There is nothing to do in your notes.')
  const all = more > 0 && i18n.t('See all: {url}', { url: `${publicUrl}/dashboard` })
  return [done, ...lines, next, all].filter(Boolean).join('\n')
}

const TEXTS: { [Kind in Outcome['kind']]: TextOf<Kind> } = {
  refused: (i18n, { why }) => REFUSED[why](i18n),
  failed: (i18n, { reason }) => failureText(i18n, reason),
  too_often: (i18n, { retryAfterSeconds }) =>
    i18n.t('That’s as much of this as I can do for now. Please ask me again in {time}.', {
      time: roughly(i18n, retryAfterSeconds),
    }),
  deleted: deletedText,
  gist: gistText,
  translation: (i18n, { text }, words) => [words(text), `_${machineMade(i18n)}_`].join('\n\n'),
  opened: (i18n, { title, text }, words) => `*${words(localTitle(i18n, title))}*\n\n${words(text)}`,
  file: (i18n, { title }, words) =>
    i18n.t('The text of “{title}”', { title: words(localTitle(i18n, title)) }),
  shared: sharedText,
  found: foundText,
  answered: answeredText,
  formed: (i18n, { name, text }, words) =>
    [`*${words(name)}*`, words(text), `_${machineMade(i18n)}_`].join('\n\n'),
  forms: formsText,
  todos: todosText,
  restored: (i18n, { title }, words) =>
    i18n.t('“{title}” is back.', { title: words(localTitle(i18n, title)) }),
  titled: (i18n, { title }, words) =>
    i18n.t('The title is now “{title}”.', { title: words(localTitle(i18n, title)) }),
  tagged: (i18n, { title, tags }, words) =>
    i18n.t('Tags of “{title}”: {tags}', {
      title: words(localTitle(i18n, title)),
      tags: listIn(i18n, tags.map(words)),
    }),
  choices: i18n => i18n.t('Which language was it?'),
  which: (i18n, { language }) =>
    i18n.t('Do you want this note translated into {language}, or is it spoken in {language}?', {
      language: languageName(i18n, language),
    }),
  meant: (i18n, { wish }, words) => meantText(i18n, wish, words),
  cancel: i18n => i18n.t('What do you want to cancel?'),
  offer: i18n => i18n.t('I didn’t understand that. This is what I can do with this note:'),
}

/** Returns the reply to a command about notes; below a file it names the note. */
export const outcomeText = (i18n: I18n, outcome: Outcome, publicUrl: string, words = shielded): string =>
  (TEXTS[outcome.kind] as TextOf<Outcome['kind']>)(i18n, outcome, words, publicUrl)

export const fileRefusedText = (i18n: I18n, publicUrl: string): string =>
  i18n.t('I couldn’t send the file here. You can download it from your history: {url}', {
    url: `${publicUrl}/transcription-history`,
  })

export const languageChosenText = (i18n: I18n, language: string): string =>
  i18n.t('From now on I’ll write to you in {language}.', { language: languageName(i18n, language) })
