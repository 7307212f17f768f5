/** Chapters of the article at `/blog/{id}`: `reading` in minutes, sections as a heading and its paragraphs. */
export const CHAPTERS: {
  id: string
  title: string
  summary: string
  reading: number
  sections: [heading: string, ...paragraphs: string[]][]
}[] = [
  {
    id: 'recording',
    title: /*i18n*/ 'Record a voice note that can be written down',
    summary:
      /*i18n*/ 'Where to hold the phone, how to say names and numbers, and why a second of silence helps: small habits that make the difference between a transcript and a guess.',
    reading: 3,
    sections: [
      [
        /*i18n*/ 'Mind the first meter',
        /*i18n*/ 'Speech recognition fails far more often on rooms than on accents. A phone at arm’s length hears the kitchen as loudly as it hears you. Hold it a hand’s width from your mouth, a little to the side so that your breath passes the microphone, and most of the noise is gone before any software has to deal with it.',
        /*i18n*/ 'Outdoors, turn your back to the wind and cup your hand around the lower edge of the phone. In a car, put it on your side of the dashboard rather than on the seat. On a headset with a small microphone on the cable, stop it from rubbing on your collar.',
      ],
      [
        /*i18n*/ 'Say what can’t be guessed',
        /*i18n*/ 'Ordinary words are recognized from their neighbors. Names, figures and addresses have no neighbors to help. Say them a touch slower, and say the important ones twice: “on the fourteenth, one four, of March”. Spell a name the first time that it comes up.',
        /*i18n*/ 'Say “full stop, new topic” if you like, but you need not: pauses become punctuation. A breath between two thoughts gives you two sentences instead of one long one.',
      ],
      [
        /*i18n*/ 'One note, one matter',
        /*i18n*/ 'A note of two minutes about one thing is easier to find again than one of eight minutes about five. If you notice yourself saying “oh, and another thing”, let go of the button and begin a new note. Each gets its own transcript, its own date and its own place in a search.',
      ],
    ],
  },
  {
    id: 'languages',
    title: /*i18n*/ 'Notes in more than one language',
    summary:
      /*i18n*/ 'How the language of a note is recognized, when to name it yourself, and what happens to the sentence that begins in Spanish and ends in English.',
    reading: 3,
    sections: [
      [
        /*i18n*/ 'How a language is recognized',
        /*i18n*/ 'With automatic detection, the beginning of the note is compared with the sound of more than fifty languages, and the best match decides for the whole note. (Where a smaller model runs, there are fewer; the pricing page says which.) So a greeting in another language at the very start can mislead it. If your aunt always begins with “Bonjour” and goes on in Dutch, expect an odd transcript now and then.',
      ],
      [
        /*i18n*/ 'When to name it yourself',
        /*i18n*/ 'If nearly all of your notes are in one language, choose it as the usual language of your notes on your profile page. It helps most where detection has least to go on: notes of a few seconds, noisy ones, and languages that sound alike, such as Norwegian and Danish, or Czech and Slovak.',
        /*i18n*/ 'Go back to auto-detect when you travel or when a project brings you notes from several countries. The setting counts for notes that come in after you have changed it.',
      ],
      [
        /*i18n*/ 'Mixed sentences',
        /*i18n*/ 'Many people change languages in the middle of a sentence. A transcript follows one language per note; single foreign words usually survive, whole foreign clauses may come out translated or bent into shape. When every word matters, ask for two notes instead of one.',
      ],
    ],
  },
  {
    id: 'finding',
    title: /*i18n*/ 'From a pile of notes to an archive you can search',
    summary:
      /*i18n*/ 'A transcript is only useful if you find it again. How to search by what was said, what to keep, what to delete, and how to pass words on without passing on the voice.',
    reading: 4,
    sections: [
      [
        /*i18n*/ 'Search for what was said',
        /*i18n*/ 'The search in your history covers the text of every transcript as well as titles and file names. Search for the rarest word you remember: a surname, a street or a product will take you there faster than “meeting”. The beginning of a word is enough, and capitals don’t matter.',
        /*i18n*/ 'Use the status filter to see what failed. Such a note tells you why, and often a second try or a smaller file is all it takes.',
      ],
      [
        /*i18n*/ 'Keep the words, let go of the audio',
        /*i18n*/ '{days, plural, one {Audio files are deleted after # day unless you specify otherwise; the text stays until you delete it. That is usually the right way round: you want to know what the plumber said in March, not hear him say it. If the tone matters, as it may in an agreement, keep your own copy of the note in WhatsApp.} other {Audio files are deleted after # days unless you specify otherwise; the text stays until you delete it. That is usually the right way round: you want to know what the plumber said in March, not hear him say it. If the tone matters, as it may in an agreement, keep your own copy of the note in WhatsApp.}}',
      ],
      [
        /*i18n*/ 'Pass on text with care',
        /*i18n*/ 'A voice note was spoken to you. A transcript is easily forwarded, quoted and printed, so ask before you pass it on, all the more at work. Read it through first: recognition is good, not perfect, and “we can” and “we can’t” differ by one soft sound. Check names, amounts and dates against the recording before anyone acts on them.',
        /*i18n*/ 'When you copy a transcript into a document, add who spoke and when: the date is next to the text in your history. In half a year you’ll be glad of both.',
      ],
    ],
  },
]
