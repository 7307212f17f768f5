import { useQuery } from '@tanstack/react-query'
import { i18n } from '../language/i18n.ts'
import { Button } from '../ui/action/button.tsx'
import { dropSecondClick } from '../ui/action/second-click.ts'
import { Banner } from '../ui/feedback/banner.tsx'
import { fileSize } from '../ui/figures.ts'
import { isChatExport } from './chat-exports.ts'
import { forgetSharedFile, type SharedFile, sharedFiles } from './shared-files.ts'

const sharedQuery = (owner?: string) => ({
  queryKey: ['shared-files', owner],
  queryFn: () => sharedFiles(owner),
  staleTime: 0,
  refetchOnWindowFocus: 'always' as const,
})

/** Shown to a visitor who has shared a file before signing in. */
export function FileWaiting() {
  const { data = [] } = useQuery(sharedQuery())
  if (!data.length) return null
  return (
    <Banner tone="info" className="mb-6">
      {i18n.t(
        '{count, plural, one {Your file is waiting. Sign in, then press Transcribe.} other {Your files are waiting. Sign in, then press Transcribe.}}',
        { count: data.length },
      )}
    </Banner>
  )
}

/** Returns the shared file and, if it is the text of a chat, the other files that the text names. */
async function withItsFiles(shared: SharedFile, all: SharedFile[]): Promise<SharedFile[]> {
  if (!isChatExport(shared.file) || /\.zip$/i.test(shared.file.name)) return [shared]
  const text = await shared.file.text()
  return [shared, ...all.filter(other => other !== shared && text.includes(other.file.name))]
}

interface SharedListProps {
  userId: string
  /** Called with a file, or with the text of a chat and its files. */
  onTaken(files: File[]): void
}

/** Files shared with the app. Any website can put files here, so each is sent only when its button is pressed. */
export function SharedList({ userId, onTaken }: SharedListProps) {
  const { data = [], refetch } = useQuery(sharedQuery(userId))
  if (!data.length) return null
  const forget = (files: SharedFile[]) => Promise.all(files.map(forgetSharedFile)).then(() => refetch())
  return (
    <div className="mt-5 rounded-control border border-accent/35 bg-wash px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="font-medium">
          {i18n.t('Shared with Voxscribe. Not sent yet: discard what you don’t recognize.')}
        </p>
        {data.length > 1 && (
          <Button variant="quiet" size="small" className="-mx-3" onClick={() => forget(data)}>
            {i18n.t('Discard all')}
          </Button>
        )}
      </div>
      <ul
        aria-label={i18n.t('Shared files')}
        onClickCapture={dropSecondClick}
        className="-mx-1 mt-2 grid max-h-96 gap-2 overflow-y-auto p-1"
      >
        {data.map(shared => {
          const { address, file } = shared
          return (
            <li key={address} className="flex flex-wrap items-center gap-x-4 gap-y-1">
              <span className="min-w-0 flex-1 basis-56">
                <span className="block break-words font-semibold">
                  <bdi>{file.name}</bdi>
                </span>
                <span className="text-soft text-sm">{fileSize(file.size)}</span>
              </span>
              <Button
                size="small"
                onClick={async () => {
                  const taken = await withItsFiles(shared, data)
                  onTaken(taken.map(each => each.file))
                  void forget(taken)
                }}
              >
                {isChatExport(file) ? i18n.t('Open') : i18n.t('Transcribe')}
              </Button>
              <Button variant="quiet" size="small" onClick={() => forget([shared])}>
                {i18n.t('Discard')}
              </Button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
