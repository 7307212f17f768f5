import type { UsageStats } from '@voxscribe/contracts/http'
import { TitledCard } from '../ui/card.tsx'
import { Facts } from '../ui/facts.tsx'
import { figure, megabytes } from '../ui/figures.ts'
import { TextLink } from '../ui/text-link.tsx'

export const UsageStatistics = (stats: UsageStats) => (
  <TitledCard title="Usage statistics" large>
    <Facts
      className="mt-5"
      facts={[
        ['Transcriptions', figure(stats.totalTranscriptions)],
        ['Completed', figure(stats.completedTranscriptions)],
        ['Failed', figure(stats.failedTranscriptions)],
        ['Total file size', megabytes(stats.totalFileSize)],
      ]}
    />
    <TextLink to="/transcription-history" className="mt-5 inline-block">
      View transcription history
    </TextLink>
  </TitledCard>
)
