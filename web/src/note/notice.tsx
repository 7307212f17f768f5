import type { Transcription } from '@voxscribe/contracts/http'
import { isKnown, noticeOf } from '@voxscribe/contracts/reasons'
import { whereReaderIs } from '../language/i18n.ts'
import { TextLink } from '../ui/action/button.tsx'

/** The notice in the reader's language; in the server's English for a reason that is new to the page. */
export const noticeIn = ({ notices, notice }: Pick<Transcription, 'notices' | 'notice'>): string | null =>
  notices?.every(isKnown) ? noticeOf(whereReaderIs(), notices) : notice

/** A notice; one that names another note leads to it. */
export const Notice = ({ sameAs, children }: { sameAs: string | null; children: string }) =>
  sameAs ? <TextLink to={`/transcriptions/${sameAs}`}>{children}</TextLink> : children
