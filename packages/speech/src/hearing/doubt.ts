import type { PartSpeech, RawSegment } from '../engines/engine.ts'
import type { Metrics } from '../host.ts'
import { type Loop, withoutLoops } from './loops.ts'

/** No-speech probability from which a known sentence is a phantom. */
const NO_SPEECH = 0.6

/** Sentences that Whisper-like models write for silence, from their training data. Case and punctuation are ignored. */
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

/** Returns lower-case letters, marks and digits, with a single space for everything else. */
const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
const known = new Set(PHANTOMS.trim().split('\n').map(plain))

const isPhantom = ({ text, noSpeech = 0 }: RawSegment) => noSpeech > NO_SPEECH && known.has(plain(text))

/** `[BLANK_AUDIO]`, `(crying)`, `♪`, also several in a row: marks of silence and noise, which nobody spoke. */
const MARKS = /^(?:(?:\[[^\]]*\]|\([^)]*\)|（[^）]*）|【[^】]*】|<[^>]*>|\*[^*]*\*|[♪♫])[\s.,!…-]*)+$/u

/** Drops segments that are only marks of noise; brackets within a sentence stay. */
export const withoutMarks = (speech: PartSpeech): PartSpeech => ({
  ...speech,
  segments: speech.segments.filter(({ text }) => !MARKS.test(text.trim())),
})

/** Drops known phantom sentences and cuts loops, which it returns. `isDoubtful`: a person should check the text. */
export function withoutPhantoms<P extends PartSpeech>(
  parts: P[],
  engine: string,
  metrics?: Metrics,
): { parts: P[]; loops: Loop[]; isDoubtful: boolean } {
  const all = parts.flatMap(({ segments }) => segments).filter(({ text }) => text.trim())
  const areAll = all.length > 0 && all.every(isPhantom)
  const spoken = parts.map(part => {
    const segments = part.segments.filter(segment => areAll || !isPhantom(segment))
    metrics?.phantoms.inc({ engine, why: 'known' }, part.segments.length - segments.length)
    return { ...part, segments }
  })
  const cut = withoutLoops(spoken)
  metrics?.phantoms.inc({ engine, why: 'repeating' }, cut.loops.length)
  return { ...cut, isDoubtful: areAll || cut.loops.length > 0 }
}
