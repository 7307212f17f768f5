import { setImmediate } from 'node:timers/promises'
import type { api, CheckedBodyOf, Passage } from '@voxscribe/contracts/http'
import { searched, type TextRange, wordsOf } from '@voxscribe/contracts/search-words'
import { beginningOf, joinerAt, timeAt, wordsIn } from '@voxscribe/contracts/text'
import type { Model } from 'mongoose'
import { TITLED, titleOf } from '../note/listing.ts'
import { type Mine, type NoteRecord, segmentsOf } from '../note/record.ts'
import { filterOf } from '../pages/history.ts'

/** Fields of a note to read. */
const READ = {
  ...TITLED,
  tags: 1,
  segments: 1,
  durationSeconds: 1,
  confidence: 1,
  createdAt: 1,
} as const

/** Filter for the notes that a question may be about. */
export type Within = Omit<CheckedBodyOf<typeof api.ask>, 'question' | 'earlier' | 'passagesOnly'>

/** Maximum words of a question to look for. */
const WORDS_MAX = 24
/** Words in more notes than this are too common to tell notes apart. */
const COMMON = 1_000
/** Maximum notes to read, and characters of all of them, and of one. */
const NOTES_MAX = 30
const CHARACTERS_MAX = 600_000
const NOTE_CHARACTERS_MAX = 300_000
/** Maximum characters of a scored piece. Segments are cut, as a note without times is a single one. */
const PIECE_MAX = 280
const PASSAGES_MAX = 40
const PASSAGES_OF_A_NOTE = 6

/** Share of a word's weight if only its beginning is found (a singular for a plural), and that beginning's length. */
const STEM = { share: 0.6, lettersLess: 2, lettersLeast: 4 }
/** Each Korean character is a syllable. */
const HANGUL = /^\p{sc=Hangul}/u
const SYLLABLES_LEAST = 2
/** Share of a word's weight that each passage of a note gets if its title or tags have the word. */
const TITLE_SHARE = 0.3

interface Word {
  /** Beginnings of words that match it, one per spelling. */
  whole: string[]
  stems: string[]
  /** Higher for a word that is rarer in the person's notes. */
  weight: number
}

/** A piece of a segment. */
interface Piece {
  segment: string
  start: number
  text: string
}

/** Neighboring pieces of a note, as one text. */
export interface Found {
  note: Pick<NoteRecord, '_id' | 'createdAt'> & { shownTitle: string }
  pieces: (Piece & { from: number })[]
  text: string
}

/** Presents a passage for the API, from a place in its text. */
export function presentPassage({ note, pieces }: Found, at: number, text: string): Passage {
  const { segment, start } = pieces.findLast(({ from }) => from <= at) ?? pieces[0]!
  const [transcriptionId, title, createdAt] = [note._id, note.shownTitle, note.createdAt.toISOString()]
  return { transcriptionId, title, at: createdAt, segment, start, text }
}

/** Extends a range of a passage to whole pieces. */
export const piecesAround = ({ pieces, text }: Found, { from, to }: TextRange): TextRange => ({
  from: pieces.findLast(piece => piece.from <= from)?.from ?? from,
  to: pieces.find(piece => piece.from >= to)?.from ?? text.length,
})

/** Returns the distinct words of texts, in order, without signs. */
function wordsFor(texts: string[]): Pick<Word, 'whole' | 'stems'>[] {
  const words = new Map<string, string[]>()
  for (const { segment } of texts.flatMap(wordsIn)) {
    const whole = searched(segment).flat()
    if (whole[0]) words.set(whole[0], whole)
  }
  return [...words.values()].slice(0, WORDS_MAX).map(whole => ({ whole, stems: whole.map(stemOf) }))
}

function stemOf(word: string): string {
  const letters = [...word]
  const least = HANGUL.test(word) ? SYLLABLES_LEAST : STEM.lettersLeast
  return letters.slice(0, Math.max(least, letters.length - STEM.lettersLess)).join('')
}

/** Matches words with this beginning. It has only letters and digits, so it needs no escaping. */
const beginning = (stem: string) => new RegExp(`^${stem}`)

/** Returns the filter for the notes that a question is about. */
const asked = (mine: Mine, { conversation, sender, ...listed }: Within, foundBy: RegExp[] = []) => ({
  ...filterOf(mine.userId, listed as Parameters<typeof filterOf>[1], foundBy),
  ...mine,
  ...(conversation && { 'conversation.id': conversation }),
  ...(sender && { 'sender.id': sender }),
})

/** Sums the weights of the words in these texts. */
function scoreOf(words: Word[], texts: string[]): number {
  const there = wordsOf(texts)
  const has = (beginnings: string[]) => there.some(word => beginnings.some(each => word.startsWith(each)))
  return words.reduce((sum, { whole, stems, weight }) => {
    if (!has(stems)) return sum
    return sum + weight * (has(whole) ? 1 : STEM.share)
  }, 0)
}

/** Cuts a note into pieces, up to the characters that are read. */
function piecesOf(note: NoteRecord): Piece[] {
  let unread = NOTE_CHARACTERS_MAX
  return segmentsOf(note).flatMap(({ id, from, to, text }) => {
    const pieces: Piece[] = []
    for (let said = 0, left = text; unread > 0 && left.trim(); ) {
      const piece = beginningOf(left, PIECE_MAX) || left.slice(0, PIECE_MAX)
      pieces.push({ segment: id, start: timeAt({ from, to }, said, text.length), text: piece })
      said += piece.length
      unread -= piece.length
      left = left.slice(piece.length)
    }
    return pieces
  })
}

/** Joins the pieces of a passage into one text. */
function joined(note: Found['note'], pieces: Piece[], language: string | null): Found {
  let text = ''
  const placed = pieces.map(piece => {
    if (text) text += joinerAt(text, piece.text, language)
    const from = text.length
    text += piece.text.trim()
    return { ...piece, from }
  })
  return { note, pieces: placed, text }
}

/** Finds passages of a person's notes by words, the best first, up to a number of characters. */
export function createPassages(notes: Model<NoteRecord>) {
  /** Returns the ids of the notes with a word; undefined for a common one, whose ids would dominate the search time. */
  async function idsBy(mine: Mine, within: Within, { stems }: Pick<Word, 'stems'>) {
    const ids = new Set<string>()
    for (const stem of new Set(stems)) {
      const filter = asked(mine, within, [beginning(stem)])
      if ((await notes.countDocuments(filter, { limit: COMMON + 1 })) > COMMON) return undefined
      const found = await notes.find(filter, { _id: 1 }).lean<{ _id: string }[]>()
      for (const { _id } of found) ids.add(_id)
    }
    return ids
  }

  async function weighed(mine: Mine, within: Within, texts: string[], total: number) {
    const scores = new Map<string, number>()
    const words: Word[] = []
    for (const word of wordsFor(texts)) {
      const ids = await idsBy(mine, within, word)
      const count = ids?.size ?? COMMON
      if (!count) continue
      const weight = Math.log(1 + total / count)
      words.push({ ...word, weight })
      for (const id of ids ?? []) scores.set(id, (scores.get(id) ?? 0) + weight)
    }
    return { words, scores }
  }

  /** Returns the ids of the notes that may have passages, best first; if every word is common, the newest with all. */
  async function candidateIds(mine: Mine, within: Within, words: Word[], scores: Map<string, number>) {
    if (!words.length) return []
    const best = [...scores].sort(([, one], [, other]) => other - one).slice(0, NOTES_MAX)
    if (best.length) return best.map(([id]) => id)
    const stems = words.map(({ stems }) => beginning(stems[0]!))
    const newest = await notes
      .find(asked(mine, within, stems), { _id: 1 })
      .sort({ createdAt: -1, _id: 1 })
      .limit(NOTES_MAX)
      .lean()
    return newest.map(({ _id }) => _id)
  }

  return {
    /** Counts the notes that a question may be about. */
    total: (mine: Mine, within: Within) => notes.countDocuments(asked(mine, within)),

    async find(mine: Mine, within: Within, texts: string[], total: number, charactersMax: number) {
      const { words, scores } = await weighed(mine, within, texts, total)
      const ranked: { score: number; at: number; pieces: Piece[]; note: NoteRecord }[] = []
      let characters = 0
      for (const _id of await candidateIds(mine, within, words, scores)) {
        // One at a time: the database would read 30 notes of three hours for seconds, without serving other calls.
        const note = await notes.findOne({ ...mine, _id }, READ).lean<NoteRecord | null>()
        if (!note) continue
        characters += Math.min(note.text.length, NOTE_CHARACTERS_MAX)
        if (characters > CHARACTERS_MAX) break
        const ofTitle = TITLE_SHARE * scoreOf(words, [titleOf(note), ...(note.tags ?? [])])
        const pieces = piecesOf(note)
        const ofNote: typeof ranked = []
        for (const [at, { text }] of pieces.entries()) {
          const score = scoreOf(words, [text])
          if (score || (ofTitle && at === 0)) ofNote.push({ score: score + ofTitle, at, pieces, note })
          // Lets other calls run.
          if (at % 50 === 0) await setImmediate()
        }
        ranked.push(...ofNote.sort((one, other) => other.score - one.score).slice(0, PASSAGES_OF_A_NOTE))
      }
      const age = ({ note }: (typeof ranked)[number]) => -note.createdAt.getTime()
      ranked.sort((one, other) => other.score - one.score || age(one) - age(other))
      return withNeighbours(ranked, charactersMax)
    },
  }
}

function withNeighbours(
  ranked: { at: number; pieces: Piece[]; note: NoteRecord }[],
  charactersMax: number,
): Found[] {
  const found: Found[] = []
  const taken = new Map<Piece, true>()
  let left = charactersMax
  for (const { at, pieces, note } of ranked) {
    if (found.length === PASSAGES_MAX) break
    if (taken.has(pieces[at]!)) continue
    const near = pieces.slice(Math.max(0, at - 1), at + 2).filter(piece => !taken.has(piece))
    const shown = { _id: note._id, createdAt: note.createdAt, shownTitle: titleOf(note) }
    const passage = joined(shown, near, note.spokenLanguage)
    if (passage.text.length > left) break
    left -= passage.text.length
    for (const piece of near) taken.set(piece, true)
    found.push(passage)
  }
  return found
}
