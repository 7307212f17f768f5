import { hasRabbitServer } from '@voxscribe/messaging/testing'
import { drill } from '../drill/run.ts'
import { table } from '../drill/table.ts'

const NUMBERS = { kills: 25, notes: 150, seed: 3 }

const onRabbit = hasRabbitServer ? test : test.skip

onRabbit(
  'when processes, broker, database, lines and providers break 25 times over 150 notes, then every note is one text, one charge and one answer',
  async () => {
    const result = await drill(NUMBERS)
    process.stdout.write(table(NUMBERS, result))
    expect(result.findings.flatMap(({ broken }) => broken)).toEqual([])
    expect(result.settledMs).not.toBeNull()
  },
  600_000,
)
