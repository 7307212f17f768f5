import { useQueryClient } from '@tanstack/react-query'
import { languages } from '@voxscribe/contracts/languages'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { useConfig } from '../api/config.ts'
import { useSession } from '../session/use-session.ts'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { classes } from '../ui/classes.ts'
import { Select } from '../ui/field.tsx'
import { figure, minutesLeft } from '../ui/figures.ts'
import { Recorder } from './recorder.tsx'
import { takeSharedFiles } from './shared-files.ts'
import { UploadList } from './upload-list.tsx'
import { addFiles, FORMATS, useUploads } from './uploads.ts'

/** Takes files and recordings: dropped, chosen, recorded, or shared by the phone. */
export function BringIn({ className }: { className?: string }) {
  const { user } = useSession()
  const { data: config } = useConfig()
  const [language, setLanguage] = useState('')
  const uploads = useUploads(user?.id ?? '')
  useFreshListAfter(uploads.filter(({ state }) => state === 'sent').length)
  const add = (files: Iterable<File>) => {
    if (user && config) addFiles(user.id, files, { maxBytes: config.maxFileBytes }, language || undefined)
  }
  useSharedFiles(Boolean(user && config), add)
  if (!user || !config) return null
  const { subscription } = user
  const left = subscription && minutesLeft(subscription.subscription_minutes, subscription.used_minutes)
  return (
    <Card aria-labelledby="bring-in-heading" className={className}>
      <h2 id="bring-in-heading" className="text-lg">
        Transcribe a file or a recording
      </h2>
      <DropZone onFiles={add}>
        <p className="text-soft">
          {FORMATS}, at most {config.maxFileBytes / 1024 / 1024} MB each.
          {left !== undefined && ` You have ${figure(left)} minutes left; a longer file is not transcribed.`}
        </p>
      </DropZone>
      <div className="mt-4 flex flex-wrap items-end justify-between gap-4">
        <Recorder onRecorded={file => add([file])} maxBytes={config.maxFileBytes} />
        <Select
          label="Spoken language"
          value={language}
          onChange={event => setLanguage(event.target.value)}
          className="w-full sm:w-56"
        >
          <option value="">As in your profile</option>
          {languages.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      <UploadList uploads={uploads} />
    </Card>
  )
}

function DropZone({
  onFiles,
  children,
}: {
  onFiles(files: Iterable<File>): void
  children: React.ReactNode
}) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const drag = (isOver: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(isOver)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the mouse; the button below does the same
    <div
      data-testid="drop-zone"
      onDragOver={drag(true)}
      onDragLeave={drag(false)}
      onDrop={event => {
        drag(false)(event)
        onFiles(event.dataTransfer.files)
      }}
      className={classes(
        'mt-4 grid justify-items-center gap-3 rounded-card border border-dashed px-6 py-8 text-center',
        over ? 'border-accent bg-wash' : 'border-edge/50',
      )}
    >
      <p className="font-semibold">Drop audio or video here</p>
      <input
        ref={input}
        type="file"
        multiple
        accept="audio/*,video/*"
        aria-label="Audio or video files"
        className="sr-only"
        tabIndex={-1}
        onChange={event => {
          onFiles([...(event.target.files ?? [])])
          // The same file chosen again is a change as well.
          event.target.value = ''
        }}
      />
      <Button variant="secondary" onClick={() => input.current?.click()}>
        Choose files
      </Button>
      {children}
    </div>
  )
}

/** Puts what was sent into the list at once. */
function useFreshListAfter(sent: number) {
  const queries = useQueryClient()
  useEffect(() => {
    if (sent) void queries.invalidateQueries({ queryKey: ['transcriptions'] })
  }, [sent, queries])
}

function useSharedFiles(ready: boolean, add: (files: File[]) => void) {
  const onFiles = useRef(add)
  onFiles.current = add
  useEffect(() => {
    if (ready) void takeSharedFiles().then(files => files.length && onFiles.current(files))
  }, [ready])
}
