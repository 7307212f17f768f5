import type { Transcription } from '@voxscribe/contracts/http'
import { ListNotice, NoteRow } from '../transcript/note/note-row.tsx'
import { TitledCard } from '../ui/card.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** The newest notes, once there are any. */
export const LatestNotes = ({ notes }: { notes: Transcription[] }) => (
  <TitledCard
    title="Latest notes"
    className="max-sm:px-4 max-sm:py-4"
    badge={<TextLink to="/transcription-history">All transcriptions</TextLink>}
  >
    <ListNotice notes={notes} />
    <ul className="mt-1 -ml-2 divide-y divide-line">
      {notes.map(note => (
        <li key={note.id}>
          <NoteRow note={note} />
        </li>
      ))}
    </ul>
  </TitledCard>
)
