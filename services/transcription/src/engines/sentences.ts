/** Titles and abbreviations within a sentence, in the languages of the product. */
const SHORTENED =
  'mr|mrs|ms|dr|prof|st|jr|sr|vs|etc|approx|no|fig|hr|fr|nr|bzw|usw|ca|evtl|ggf|inkl|str|mme|mlle|m|sra|srta|ud|uds|dra|av|sig|dott|ing|bpk|dkk'
/** Also single letters, letters with dots (z.B., e.g.) and ordinals (3. Mai). */
const GOES_ON = new RegExp(`(?:^|[\\s("'“«¿¡])(?:(?:\\p{L}\\.)*\\p{L}|\\d{1,2}|${SHORTENED})\\.$`, 'iu')
const END = /[.!?…。！？]["'”’»)\]]*$/

/** Whether a sentence ends with this text. */
export const endsSentence = (text: string): boolean => END.test(text) && !GOES_ON.test(text)

const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** Cuts a text into sentences by Unicode's rules, but not after abbreviations. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = []
  for (const { segment } of segmenter.segment(text.trim())) {
    const sentence = segment.trim()
    const last = sentences.at(-1)
    if (!sentence) continue
    if (last && GOES_ON.test(last)) sentences[sentences.length - 1] = `${last} ${sentence}`
    else sentences.push(sentence)
  }
  return sentences
}
