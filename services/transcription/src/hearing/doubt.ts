import { UNSPACED } from '@voxscribe/contracts/text'
import type { PartSpeech, RawSegment, Word } from '../engines/engine.ts'
import { phantoms } from '../metrics.ts'

/** Below this confidence a note is marked, and loops of words are cut. */
export const UNSURE = 0.5
/** No-speech probability from which a known sentence is a phantom. */
const NO_SPEECH = 0.6
/** Repetitions in a row that make a loop. */
const LOOP = 4

/** Sentences that Whisper-like models write for silence, from their training data; without case and signs. */
const PHANTOMS = `
thanks for watching
thank you for watching
please subscribe to my channel
see you in the next video
untertitel der amara org community
untertitel im auftrag des zdf für funk 2017
vielen dank fürs zuschauen
sous titres réalisés par la communauté d amara org
sous titrage société radio canada
merci d avoir regardé cette vidéo
subtítulos realizados por la comunidad de amara org
gracias por ver el video
suscríbete al canal
legendas pela comunidade amara org
obrigado por assistir
sottotitoli creati dalla comunità amara org
grazie per aver guardato il video
ondertiteld door de amara org gemeenschap
bedankt voor het kijken
субтитры сделал dimatorzok
продолжение следует
ご視聴ありがとうございました
請不吝點贊訂閱轉發打賞支持明鏡與點點欄目
字幕由 amara org 社群提供
시청해주셔서 감사합니다
ترجمة نانسي قنقر`

/** Lower-case letters, marks and digits, with one space for everything else. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
const known = new Set(PHANTOMS.trim().split('\n').map(plain))

const isPhantom = ({ text, noSpeech = 0 }: RawSegment) => noSpeech > NO_SPEECH && known.has(plain(text))

/** Drops known phantom sentences and cuts loops. `isDoubtful`: there are only phantoms, so they stay. */
export function withoutPhantoms<P extends PartSpeech>(
  parts: P[],
  engine: string,
): { parts: P[]; isDoubtful: boolean } {
  const all = parts.flatMap(({ segments }) => segments).filter(({ text }) => text.trim())
  const isDoubtful = all.length > 0 && all.every(isPhantom)
  const clean = parts.map(part => {
    const segments = part.segments.flatMap(segment => {
      if (!isDoubtful && isPhantom(segment)) {
        phantoms.inc({ engine, why: 'known' })
        return []
      }
      const cut = withoutLoops(segment)
      if (cut !== segment) phantoms.inc({ engine, why: 'repeating' })
      return [cut]
    })
    return { ...part, segments }
  })
  return { parts: clean, isDoubtful }
}

/** A word, or a letter with its marks where no spaces are written. */
export const TOKEN = new RegExp(`${UNSPACED}\\p{M}*|(?:(?!${UNSPACED})[\\p{L}\\p{M}\\p{N}])+`, 'gv')
/** Longest run of words that counts as a loop, in words or letters. */
const MOST_IN_RUN = 120

/** Cuts a run of words that an unsure engine repeats four times or more to one. */
function withoutLoops(segment: RawSegment): RawSegment {
  const { text, confidence, words } = segment
  if (confidence === null || confidence >= UNSURE) return segment
  const tokens = [...text.matchAll(TOKEN)]
  const kept = onceEach(tokens.map(([letters]) => letters.toLowerCase()))
  if (kept.length === tokens.length) return segment
  const start = (which: number) => tokens[which]?.index ?? text.length
  const cut = kept.map(which => text.slice(start(which), start(which + 1)))
  return {
    ...segment,
    text: (text.slice(0, start(0)) + cut.join('')).trim(),
    ...(words && { words: wordsAt(kept.map(start), text, words) }),
  }
}

/** Returns the words at these offsets of the text; an engine's words are separated by spaces. */
function wordsAt(places: number[], text: string, words: Word[]): Word[] {
  const written = [...text.matchAll(/\S+/gu)]
  if (written.length !== words.length) return words
  return words.filter((_, which) => {
    const [word, from] = [written[which]?.[0] ?? '', written[which]?.index ?? 0]
    return places.some(place => place >= from && place < from + word.length)
  })
}

/** Returns the indexes of the tokens that stay; shorter runs are cut first. */
function onceEach(tokens: string[]): number[] {
  let kept = [...tokens.keys()]
  for (let run = 1; run <= Math.min(MOST_IN_RUN, kept.length / LOOP); run++) {
    const next: number[] = []
    let same = 0
    for (let at = 0; at < kept.length; ) {
      const isSame = () => tokens[kept[at + same] ?? -1] === tokens[kept[at + same + run] ?? -1]
      while (at + same + run < kept.length && isSame()) same++
      const times = Math.floor(same / run) + 1
      const isLoop = times >= LOOP
      next.push(...kept.slice(at, at + (isLoop ? run : 1)))
      at += isLoop ? times * run : 1
      same = isLoop ? 0 : Math.max(0, same - 1)
    }
    kept = next
  }
  return kept
}
