import { api } from '@voxscribe/contracts/http'
import { implement, type Route } from '@voxscribe/service'
import { type Engines, isEngine } from '@voxscribe/speech'
import { TITLED, titled } from '../note/listing.ts'
import type { NoteRecord } from '../note/record.ts'
import type { OpenWork } from '../work.ts'

export const internalRoutes = (
  { notes, loop, textWork }: Pick<OpenWork, 'notes' | 'loop' | 'textWork'>,
  engines: Engines,
  can: Record<'speakers' | 'preview' | 'try', () => boolean>,
): Route[] => [
  implement(api.titles, async ({ query: { ids } }) => {
    const found = await notes.model.find({ _id: { $in: ids }, deletedAt: null }, TITLED).lean()
    return { data: Object.fromEntries(found.map(note => [note._id, titled(note as NoteRecord).title])) }
  }),
  implement(api.speech, async () => {
    const named = engines
      .ladder()
      .filter(isEngine)
      .map(({ name, kind, model }) => ({ name, ...(kind !== name && { kind }), model }))
    const known = engines.languages()
    const languages = known === 'all' ? known : [...known]
    const secondsPerMinute = loop.secondsPerMinute()
    const here = { engines: named, languages, speakers: can.speakers(), secondsPerMinute }
    const more = { textModel: textWork.isOn(), preview: can.preview(), try: can.try() }
    return { data: { ...here, ...more } }
  }),
]
