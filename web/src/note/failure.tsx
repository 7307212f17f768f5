import type { Transcription } from '@voxscribe/contracts/http'
import { isKnown, sentenceOf } from '@voxscribe/contracts/reasons'
import { Link } from 'react-router-dom'
import { i18n } from '../language/i18n.ts'

/** The failure in the reader's language; in the server's English for a reason that is new to the page. */
export const Failure = ({ error, failure }: Pick<Transcription, 'error' | 'failure'>) => (
  <>
    {failure && isKnown(failure)
      ? sentenceOf(i18n, failure)
      : error || i18n.t('This note couldn’t be transcribed. Please send it again.')}
    {failure?.code === 'out_of_minutes' && (
      <>
        {' '}
        <Link to="/pricing" className="underline underline-offset-3">
          {i18n.t('See the plans')}
        </Link>
      </>
    )}
  </>
)
