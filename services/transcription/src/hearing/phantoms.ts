import { deflateSync } from 'node:zlib'
import type { HeardSegment } from '../engines/engine.ts'

/**
 * Sentences that Whisper-like models write where nobody speaks, by language; where each is from is said beside it. They
 * are compared in lower case, without signs.
 */
const PHANTOMS: Record<string, readonly string[]> = {
  // The ends of videos, from which the models have learnt; seen again and again in Whisper's public discussions.
  en: [
    'thanks for watching',
    'thank you for watching',
    'please subscribe to my channel',
    'see you in the next video',
  ],
  // Credits of subtitles on public channels.
  de: [
    'untertitel der amara org community',
    'untertitel im auftrag des zdf für funk 2017',
    'vielen dank fürs zuschauen',
  ],
  fr: [
    'sous titres réalisés par la communauté d amara org',
    'sous titrage société radio canada',
    'merci d avoir regardé cette vidéo',
  ],
  es: [
    'subtítulos realizados por la comunidad de amara org',
    'gracias por ver el video',
    'suscríbete al canal',
  ],
  pt: ['legendas pela comunidade amara org', 'obrigado por assistir'],
  it: ['sottotitoli creati dalla comunità amara org', 'grazie per aver guardato il video'],
  nl: ['ondertiteld door de amara org gemeenschap', 'bedankt voor het kijken'],
  // Credits of a subtitler whose name many Russian films carry.
  ru: ['субтитры сделал dimatorzok', 'продолжение следует'],
  ja: ['ご視聴ありがとうございました'],
  zh: ['請不吝點贊訂閱轉發打賞支持明鏡與點點欄目', '字幕由 amara org 社群提供'],
  ko: ['시청해주셔서 감사합니다'],
  ar: ['ترجمة نانسي قنقر'],
}

/** How likely it must be that nobody speaks, for a known sentence to be a phantom. */
const NO_SPEECH = 0.6
/** Whisper's own threshold: text that shrinks more than this repeats itself. */
const MOST_COMPRESSED = 2.4
/** Shorter texts are compressed by chance, or not at all. */
const SHORTEST_BYTES = 60

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
const known = new Set(Object.values(PHANTOMS).flat().map(plain))

/** Why a segment is nothing that somebody has said; undefined for one that is. */
export function phantomIn({
  text,
  noSpeech = 0,
}: HeardSegment): 'silence' | 'known' | 'repeating' | undefined {
  if (noSpeech > NO_SPEECH) return known.has(plain(text)) ? 'known' : 'silence'
  const bytes = Buffer.from(text.trim())
  const isLong = bytes.length >= SHORTEST_BYTES
  return isLong && bytes.length / deflateSync(bytes).length > MOST_COMPRESSED ? 'repeating' : undefined
}
