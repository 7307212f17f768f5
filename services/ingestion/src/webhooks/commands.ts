import type { ChatCommand, NoteCommand } from '@voxscribe/contracts/events'
import { type UiLanguage, uiLanguageOf } from '@voxscribe/languages'
import { languageNamed, plain } from './language-names.ts'

/** A command about minutes or notes, or the choice of a language: undefined for one that we do not speak. */
export type Command = ChatCommand | NoteCommand | { name: 'language'; uiLanguage: UiLanguage | undefined }

/** Words of the commands, in the languages of the product: en, es, pt, fr, de, it, id, hi, ar. */
const WORDS = {
  help: 'help, ayuda, ajuda, aide, hilfe, aiuto, bantuan, मदद, सहायता, madad, مساعدة, مساعده',
  minutes: 'minutes, minutos, minuten, minuti, menit, मिनट, minat, دقائق, الدقائق',
  delete:
    'delete, remove, eliminar, elimina, borrar, borra, apagar, apaga, apague, excluir, exclui, exclua, deletar, deleta, supprimer, supprime, ' +
    'effacer, efface, löschen, lösche, lösch, eliminare, cancella, cancellare, hapus, हटाएं, हटाएँ, हटाओ, हटा दो, ' +
    'मिटाओ, hatao, احذف, حذف, امسح',
  share:
    'share, compartir, comparte, compartilhar, compartilha, compartilhe, partilhar, partilha, partager, partage, ' +
    'teilen, teile, teil, condividere, condividi, bagikan, bagi, साझा करें, साझा करो, शेयर करें, शेयर करो, शेयर, ' +
    'share karo, شارك, مشاركة, شاركها',
}

/** Words for the gist of a note, understood where there is a text model. */
const SUMMARY =
  'summary, summarise, summarize, gist, tldr, resumen, resume, resumir, resumo, resuma, résumé, résumer, ' +
  'zusammenfassung, zusammenfassen, kurzfassung, riassunto, riassumi, riassumere, sintesi, ringkasan, ringkas, ' +
  'rangkuman, सारांश, संक्षेप, saransh, ملخص, الملخص, تلخيص, لخص'
/** Words that stand before the name of a language, for a translation; in Hindi one stands behind it. */
const INTO =
  'in, into, to, en, al, em, para, para o, au, auf, ins, dalam, dalam bahasa, ke, ke bahasa, إلى, الى'
const INTO_BEHIND = 'में, mein'

/** Words that begin a search. */
const FIND =
  'find, search, search for, buscar, busca, busque, procurar, procura, chercher, cherche, trouver, trouve, finde, ' +
  'finden, suche, suche nach, suchen, cerca, cercare, trova, cari, खोजें, खोजो, ढूँढो, ढूंढो, khojo, ابحث, ابحث عن, بحث'

/** Words that the name of a language comes after. */
const LANGUAGE =
  'language, idioma, lengua, língua, linguagem, langue, sprache, lingua, bahasa, भाषा, bhasha, لغة, اللغة, لغه'
/** More words than the name of a language has. */
const NAME_WORDS = 3

/** Thanks and agreement, which get no answer. */
const THANKS =
  'thanks, thank you, thank you very much, thanks a lot, many thanks, thx, ty, ok, okay, great, gracias, ' +
  'muchas gracias, vale, obrigado, obrigada, muito obrigado, muito obrigada, valeu, merci, merci beaucoup, danke, ' +
  'danke schön, vielen dank, dankeschön, grazie, grazie mille, va bene, terima kasih, makasih, terimakasih, ' +
  'धन्यवाद, शुक्रिया, बहुत धन्यवाद, ठीक है, dhanyavaad, shukriya, شكرا, شكرا جزيلا, تمام'

/** No: en it es, pt, fr, de, id, hi, ar. */
const NO = 'no, não, non, nein, tidak, bukan, नहीं, नही, nahin, nahi, لا'

const wordsOf = (list: string) => list.split(', ').map(plain)
const COMMANDS = new Map<string, Command>([
  ...wordsOf(WORDS.help).map(word => [word, 'help'] as const),
  ...wordsOf(WORDS.minutes).map(word => [word, 'minutes'] as const),
  ...wordsOf(WORDS.delete).map(word => [word, { name: 'delete' }] as const),
  ...wordsOf(WORDS.share).map(word => [word, { name: 'share' }] as const),
  ...(['txt', 'srt', 'docx'] as const).map(format => [format, { name: 'export', format }] as const),
])
const UNANSWERED = new Set(wordsOf(THANKS))
const NOES = new Set(wordsOf(NO))
const BEGINNINGS = wordsOf(FIND).sort((a, b) => b.length - a.length)
const NAMING = new Set(wordsOf(LANGUAGE))
const SUMMARIES = new Set(wordsOf(SUMMARY))
const BEFORE = wordsOf(INTO)
const BEHIND = wordsOf(INTO_BEHIND)

/**
 * Reads a text as a command, in any language, case and punctuation; null for thanks and emoji, which ask for nothing.
 * `isQuoting`: then the code of a language is a command, too. `hasTextModel`: summaries and translations are offered.
 */
export function commandIn(text: string, isQuoting = false, hasTextModel = false): Command | null {
  const said = plain(text)
  if (!/[\p{L}\p{N}]/u.test(said)) return /[?؟]/.test(text) ? 'hint' : null
  if (UNANSWERED.has(said)) return null
  const language = NOES.has(said) ? undefined : languageNamed(said, isQuoting)
  if (language) return { name: 'again', language }
  const made = hasTextModel ? madeByModel(said) : undefined
  return COMMANDS.get(said) ?? made ?? choiceIn(said) ?? searchIn(text, said) ?? 'hint'
}

/** Reads what a text model is to make of a note: `summary`, `in Spanish`. */
function madeByModel(said: string): Command | undefined {
  if (SUMMARIES.has(said)) return { name: 'summary' }
  const names = [
    ...BEFORE.filter(word => said.startsWith(`${word} `)).map(word => said.slice(word.length + 1)),
    ...BEHIND.filter(word => said.endsWith(` ${word}`)).map(word => said.slice(0, -word.length - 1)),
    // In Arabic it is written together with the article.
    ...(said.startsWith('بال') ? [said.slice(1)] : []),
  ]
  const language = names.map(name => languageNamed(name, false)).find(id => id !== undefined)
  return language === undefined ? undefined : { name: 'translate', language }
}

/** Reads which language a text chooses; undefined when it is about something else. */
function choiceIn(said: string): Command | undefined {
  const [first = '', ...name] = said.split(' ')
  if (!NAMING.has(first) || name.length > NAME_WORDS) return undefined
  return { name: 'language', uiLanguage: uiLanguageOf(languageNamed(name.join(' '), true) ?? '') }
}

/** Reads what a text searches for, as it is written; undefined when it is no search. */
function searchIn(text: string, said: string): Command | undefined {
  const beginning = BEGINNINGS.find(words => `${said} `.startsWith(`${words} `))
  if (!beginning) return undefined
  const [, words = ''] =
    new RegExp(
      `^(?:[^\\p{L}\\p{N}]*[\\p{L}\\p{M}\\p{N}\\p{Cf}]+){${beginning.split(' ').length}}[^\\p{L}\\p{N}]*(.*)$`,
      'su',
    ).exec(text) ?? []
  return { name: 'find', words: words.trim() }
}

/** Whether a text is NO and nothing else, in any case and punctuation. */
export const saysNo = (text: string | null): boolean => NOES.has(plain(text ?? ''))
