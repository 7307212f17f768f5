import type { Transcription } from '@voxscribe/contracts/http'
import { Link } from 'react-router-dom'

export const Failure = ({ error, errorCode }: Pick<Transcription, 'error' | 'errorCode'>) => (
  <>
    {error || 'This note couldn’t be transcribed. Please send it again.'}
    {errorCode === 'out_of_minutes' && (
      <>
        {' '}
        <Link to="/pricing" className="underline underline-offset-3">
          See the plans
        </Link>
      </>
    )}
  </>
)
