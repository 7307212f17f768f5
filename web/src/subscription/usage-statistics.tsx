import type { UsageStats } from '@voxscribe/contracts/http'
import { Link } from 'react-router-dom'
import { Card } from '../ui/card.tsx'
import { figure, megabytes } from '../ui/figures.ts'
import { Facts } from './facts.tsx'

export const UsageStatistics = (stats: UsageStats) => (
  <Card aria-labelledby="usage-heading" className="sm:p-8">
    <h2 id="usage-heading" className="text-xl">
      Usage statistics
    </h2>
    <Facts
      className="mt-5"
      facts={[
        ['Transcriptions', figure(stats.totalTranscriptions)],
        ['Completed', figure(stats.completedTranscriptions)],
        ['Failed', figure(stats.failedTranscriptions)],
        ['Total file size', megabytes(stats.totalFileSize)],
      ]}
    />
    <Link to="/transcription-history" className="link mt-5 inline-block">
      View transcription history
    </Link>
  </Card>
)
