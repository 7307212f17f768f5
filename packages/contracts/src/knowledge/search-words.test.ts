import { foundIn, phraseIn, searched, wordsOf } from './search-words.ts'

/** Compares in the database's way: every wanted word must begin a stored one. */
function finds(text: string, search: string): boolean {
  const words = wordsOf([text])
  return searched(search).some(wanted =>
    wanted.every(beginning => words.some(word => word.startsWith(beginning))),
  )
}

const marks = (text: string, search: string) =>
  foundIn(text, search).map(({ from, to }) => text.slice(from, to))

describe('a search', () => {
  test.each([
    ['The quick brown fox', 'FOX qui'],
    ['The quick brown fox', '"quick", (brown)!'],
    ['Ünï çödé', 'uni CODE'],
    ['uni code', 'ÜNÏ'],
    ['Straße', 'STRASSE'],
    ['ISTANBUL İzmir ılık', 'istanbul izmir ilik'],
    ['Łódź, Đà Nẵng, smørrebrød', 'lodz da nang smorre'],
    ['don’t stop', "don't"],
    ['don’t stop', 'dont'],
    ['À l’école', 'ecole'],
    ['www.example.com', 'example.com'],
    ['voice_note-2026.11.ogg', 'note 2026 ogg'],
    ['It costs 3.14 €', '3.14'],
    ['Привет, Ёлка', 'елка ПРИВ'],
    ['Ο Οδυσσέας είναι σοφός', 'ΣΟΦΟΣ οδυσσεας'],
    ['שָׁלוֹם עולם', 'שלום'],
    ['مَرْحَبًا بالعالم', 'مرحبا'],
    ['می‌خواهم بروم', 'میخواهم'],
    ['नमस्ते दुनिया', 'नमस्'],
    ['안녕하세요 세계', '안녕'],
    ['東京都の会議室で会いましょう', '会議'],
    ['東京都の会議室で会いましょう', '京都'],
    ['東京都の会議室で会いましょう', '都の会議室で会いましょう'],
    ['你好，世界。再见', '你好世界'],
    ['你好，世界。再见', '再见 你好'],
    ['カタカナ', 'ｶﾀｶﾅ'],
    ['會議はOKです', 'ok 議'],
    ['สวัสดีครับผมชื่อสมชาย', 'ชื่อ'],
    ['ສະບາຍດີຊາວໂລກ', 'ຊາວ'],
    ['សួស្តី\u200bពិភពលោក', 'ពិភព'],
    ['မင်္ဂလာပါကမ္ဘာ', 'ကမ္ဘာ'],
    ['ｆｕｌｌ width ﬁle', 'full file'],
    ['🎉 party 👩‍👩‍👧', 'party 🎉'],
    ['an e-mail, please co\u2011operate', 'email cooperate'],
    ['an email for you', 'e-mail'],
    ['Meier Müller', 'meier-müller'],
    ['Meier-Müller, COVID-19', 'müller meier covid19'],
    ['خمسة ٢٥٠ مع ۳۰', '250 30'],
    ['२५० रुपये', '250'],
    ['250 جنيه', '٢٥٠'],
    ['beim Zahnärzte-Verband, groß', 'zahnaerzte gross'],
    ['beim Zahnaerzte-Verband', 'Zahnärzte'],
    ['Uebung macht den Müller', 'übung mueller'],
    ['क़लम और ज़मीन', 'कलम जमीन'],
    ['कलम और जमीन', 'क़लम ज़मीन'],
    ['हिन्दी में चाँद', 'हिंदी चांद'],
    ['हिंदी में चांद', 'हिन्दी चाँद'],
    ['أين الفاتورة يا منى', 'فاتوره مني'],
    ['فاتوره من مني', 'الفاتورة منى'],
    ['دفعتُ بالبطاقة للطبيب', 'بطاقة طبيب'],
    ['𠮷野家で食べる', '𠮷野'],
    [`${'a'.repeat(60)} end`, 'a'.repeat(55)],
  ])('of "%s" for "%s" finds it, and marks every word', (text, search) => {
    expect(finds(text, search)).toBe(true)
    const marked = marks(text, search)
    const isMarked = (word: string) => marked.some(mark => finds(mark, word))
    expect(searched(search).some(wanted => wanted.every(isMarked))).toBe(true)
  })

  test.each([
    ['The quick brown fox', 'ox'],
    ['The quick brown fox', 'quick wolf'],
    ['東京と京都', '東京都'],
    ['नमस्ते', 'नमसा'],
    ['カタカナ', 'ナカ'],
    ['会議 1️⃣ 100 ™', '1️⃣'],
    ['Trademark tm', '™'],
    ['Poetry', 'potry'],
  ])('of "%s" for "%s" does not find it', (text, search) => {
    expect(finds(text, search)).toBe(false)
  })

  // First sentence of article 1 of the Declaration of Human Rights.
  test.each([
    ['th', 'มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ'],
    ['lo', 'ມະນຸດທຸກຄົນເກີດມາມີກຽດສັກສີ ສິດທິ ເສລີພາບ ແລະຄວາມສະເໝີພາບເທົ່າທຽມກັນ'],
    ['km', 'មនុស្សទាំងអស់ កើតមកមានសេរីភាព និងសមភាព ក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ'],
    ['my', 'လူတိုင်းသည် တူညီလွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း၊ တူညီလွတ်လပ်သော အခွင့်အရေးများဖြင့် လည်းကောင်း၊ မွေးဖွားလာသူများ ဖြစ်သည်။'],
    ['ja', 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。'],
    ['zh', '人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。'],
  ])('of any passage of a sentence in %s finds it, and marks it', (language, sentence) => {
    const letters = [...new Intl.Segmenter(language, { granularity: 'grapheme' }).segment(sentence)]
    for (let from = 0; from < letters.length; from++)
      for (const length of [1, 2, 5, 9, 10, 11, 13, 17, 30]) {
        const passage = letters.slice(from, from + length).map(({ segment }) => segment)
        const search = passage.join('').trim()
        if (!searched(search).length) continue
        expect([search, finds(sentence, search), marks(sentence, search).length > 0]).toEqual([
          search,
          true,
          true,
        ])
      }
  })

  test.each(['', '  ', '.*', '!?…', '🎉👩‍👩‍👧', '🇩🇪', '\0', '—', '™', '\ud800'])(
    'for the signs %j alone wants nothing',
    signs => {
      expect(searched(signs)).toEqual([])
    },
  )

  test('when a text repeats itself, then its words stand once', () => {
    expect(wordsOf(['one two one', 'Two'])).toEqual(['one', 'two'])
  })

  test('when a text is long, or all signs and dots, then its words stay bounded', () => {
    const han = Array.from({ length: 60_000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + ((at * (7919 + Math.floor(at / 20_000))) % 20_000)),
    )
    expect(wordsOf([han.join('')]).length).toBe(40_000)
    expect(wordsOf(['a.'.repeat(50_000)]).every(word => word.length <= 40)).toBe(true)
  })

  test.each([
    ['The train, the Trainer, a restrain', 'train', ['train', 'Train']],
    ['The quick brown fox', 'fox qui', ['qui', 'fox']],
    ['Call the Straße, naïve café CAFÉ', 'strasse CAFE', ['Straße', 'café', 'CAFÉ']],
    ['I don’t and dont', "don't", ['don’t', 'dont']],
    ['À l’école', 'ecole', ['école']],
    ['voice_note-2026.11.ogg', '2026 ogg', ['2026', 'ogg']],
    ['東京都の会議室で会議', '会議', ['会議', '会議']],
    ['你好，世界', '好世', ['好，世']],
    ['東京都の会議室で会いましょう', '都の会議室で会いま', ['都の会議室で会いま']],
    ['ﬁle 👩‍👩‍👧 file', 'fi', ['ﬁ', 'fi']],
    ['שָׁלוֹם עולם', 'שלו', ['שָׁלוֹ']],
    ['<b>bold</b> & more', 'b', ['b', 'b', 'b']],
    ['costs $5.00', '5x00', []],
    ['nothing here', '!?', []],
    ['', 'x', []],
  ])('of "%s" for "%s" marks %j', (text, search, found) => {
    expect(marks(text, search)).toEqual(found)
  })

  const LETTERS = 150_000
  const cycled = (text: string) => text.repeat(Math.ceil(LETTERS / text.length)).slice(0, LETTERS)
  const among = (first: number, count: number) =>
    Array.from({ length: LETTERS }, (_, at) => String.fromCodePoint(first + ((at * 7919) % count))).join('')
  const pairs = Array.from({ length: 67 }, (_, at) => `${String.fromCharCode(97 + (at % 26))}${at % 10}`)
  test.each([
    ['Latin letters', cycled('Hello, my friend. '), 'friend'],
    ['Latin letters and many words', cycled('Hello, my friend. '), pairs.join(' ')],
    ['accents', cycled('Ünï cödé naïve. '), 'naive'],
    ['Cyrillic letters', cycled('Привет, мой друг. '), 'друг'],
    ['Arabic articles', cycled('والكتاب الجديد للولد '), 'الكتاب'],
    ['letters that stand for a phrase', cycled('ﷺ'), 'صلى'],
    ['Devanagari', cycled('नमस्ते दुनिया हिन्दी '), 'हिन्दी'],
    ['Thai', cycled('มนุษย์ทั้งหลายเกิดมา'), 'มนุษย์'],
    ['Khmer', cycled('មនុស្សទាំងអស់'), 'មនុស្ស'],
    ['Han', among(0x4e00, 20_000), '中文'],
    ['Hangul', among(0xac00, 11_000), '가나'],
    ['one kana', 'あ'.repeat(LETTERS), 'あ'.repeat(200)],
    ['kana between spaces', cycled('あ a '), pairs.join(' ')],
    ['dots', cycled('a.'), pairs.join(' ')],
    ['vowel signs on one letter', `क${'ि'.repeat(LETTERS)}`, 'क'],
    ['marks in disorder', `a${'\u0301'.repeat(LETTERS / 2)}${'\u0323'.repeat(LETTERS / 2)}`, 'a'],
    ['halves of characters', '\ud800'.repeat(LETTERS), 'a'],
  ])('in 150,000 letters takes 300 ms, or grows with the text only: %s', (_, text, search) => {
    const processorMs = (letters: number) => {
      const before = process.threadCpuUsage()
      const part = text.slice(0, letters)
      wordsOf([part])
      foundIn(part, search)
      return process.threadCpuUsage(before).user / 1000
    }
    const leastOf = (letters: number) => Math.min(...Array.from({ length: 3 }, () => processorMs(letters)))
    if (processorMs(LETTERS) < 300) return
    expect(leastOf(LETTERS)).toBeLessThan(Math.max(300, 30 * leastOf(LETTERS / 10)))
  })

  test('when a text of two hours is marked, then each place is found, in order and apart', () => {
    const found = foundIn('Ärger, dann Ruhe. '.repeat(6_000), 'ruhe arg')
    expect(found.length).toBe(12_000)
    expect(found.every(({ from }, at) => at === 0 || from > (found[at - 1]?.to ?? 0))).toBe(true)
  })
})

describe('a phrase', () => {
  test.each([
    ['Nora paid “two hundred” euros.', 'nora PAID two hundred', 'Nora paid “two hundred'],
    ['Él pagó, 200 €.', 'el pago 200', 'Él pagó, 200'],
    ['会議は明日の午後三時です。', '明日の午後', '明日の午後'],
    ['The party was late. His art was not.', 'art', 'art'],
  ])('in %j is found as %j, in the spelling of the text', (text, phrase, expected) => {
    const place = phraseIn(text, phrase)
    expect(place && text.slice(place.from, place.to)).toBe(expected)
  })

  test.each([
    ['Nora paid two hundred euros.', 'Nora paid three hundred'],
    ['Nora paid two hundred euros.', 'two hundred Nora'],
    ['The party was late.', 'art'],
    ['The party was late.', 'part'],
    ['The party was late.', '… !'],
    ['', 'late'],
  ])('in %j is not %j', (text, phrase) => {
    expect(phraseIn(text, phrase)).toBeUndefined()
  })
})
