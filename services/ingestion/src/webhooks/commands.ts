import type { ChatCommand } from '@voxscribe/contracts/events'

/** Words of the commands, in the languages of the product: en, es, pt, fr, de, it, id, hi, ar. */
const WORDS: Record<Exclude<ChatCommand, 'hint'>, string> = {
  help: 'help, ayuda, ajuda, aide, hilfe, aiuto, bantuan, मदद, सहायता, madad, مساعدة, مساعده',
  minutes: 'minutes, minutos, minuten, minuti, menit, मिनट, minat, دقائق, الدقائق',
}

/** Thanks and agreement, which get no answer. */
const THANKS =
  'thanks, thank you, thank you very much, thanks a lot, many thanks, thx, ty, ok, okay, great, gracias, ' +
  'muchas gracias, vale, obrigado, obrigada, muito obrigado, muito obrigada, valeu, merci, merci beaucoup, danke, ' +
  'danke schön, vielen dank, dankeschön, grazie, grazie mille, va bene, terima kasih, makasih, terimakasih, ' +
  'धन्यवाद, शुक्रिया, बहुत धन्यवाद, ठीक है, dhanyavaad, shukriya, شكرا, شكرا جزيلا, تمام'

/** No: en it es, pt, fr, de, id, hi, ar. */
const NO = 'no, não, nao, non, nein, tidak, bukan, नहीं, नही, nahin, nahi, لا'

/** Lower case, one space between words; without signs, and without the vowel signs that Arabic may leave out. */
const plain = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\u064B-\u0652]/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()

const wordsOf = (list: string) => list.split(', ').map(plain)
const COMMANDS = new Map(
  (Object.keys(WORDS) as (keyof typeof WORDS)[]).flatMap(command =>
    wordsOf(WORDS[command]).map(word => [word, command] as const),
  ),
)
const UNANSWERED = new Set(wordsOf(THANKS))

/** Reads a text as a command, in any language, case and punctuation; null for thanks and emoji, which ask for nothing. */
export function commandIn(text: string): ChatCommand | null {
  const said = plain(text)
  if (!/[\p{L}\p{N}]/u.test(said)) return /[?؟]/.test(text) ? 'hint' : null
  return UNANSWERED.has(said) ? null : (COMMANDS.get(said) ?? 'hint')
}

const NOES = new Set(wordsOf(NO))

/** Whether a text is NO and nothing else, in any case and punctuation. */
export const saysNo = (text: string | null): boolean => NOES.has(plain(text ?? ''))
