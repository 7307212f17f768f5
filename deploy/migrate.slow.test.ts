import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { flow } from '@voxscribe/contracts/events'
import { type RabbitServer, startRabbitServer } from '@voxscribe/messaging/testing'
import { startTestBackings, testKeys } from '@voxscribe/service/testing'
import { connect } from 'amqplib'
import mongoose from 'mongoose'

const rabbit: RabbitServer | null = await startRabbitServer()
afterAll(() => rabbit?.stop())
const onRabbit = rabbit ? test : test.skip

onRabbit(
  'when an installation is migrated, then its indexes and queues are there, and again is no error',
  async () => {
    const backings = await startTestBackings()
    const folder = await mkdtemp(join(tmpdir(), 'voxscribe-migrate-'))
    const env = {
      ...process.env,
      ...backings.env,
      DATA_DIR: folder,
      RABBITMQ_URL: rabbit!.url,
      JWT_PRIVATE_KEY: testKeys.privateKey,
      SMTP_URL: 'smtp://127.0.0.1:2525',
      WHATSAPP_PHONE_NUMBER_ID: '1',
      WHATSAPP_ACCESS_TOKEN: 'token',
      WHATSAPP_APP_SECRET: 'secret',
      WHATSAPP_VERIFY_TOKEN: 'token',
    }
    const migrate = () =>
      promisify(execFile)(process.execPath, [join(import.meta.dirname, 'migrate.ts')], { env })
    try {
      await migrate()
      const database = `${backings.env.MONGO_DB_PREFIX}_transcription`
      const connection = await mongoose.createConnection(backings.mongoUrl, { dbName: database }).asPromise()
      const keys = (await connection.collection('transcriptions').indexes()).map(({ key }) => key)
      expect(keys).toContainEqual({ 'work.step': 1, 'work.turn': 1 })
      await connection.close()
      const broker = await connect(rabbit!.url)
      const channel = await broker.createChannel()
      for (const { event, to } of Object.values(flow))
        for (const service of to) await channel.checkQueue(`${service}.${event.name}`)
      await broker.close()
      await migrate()
    } finally {
      await backings.stop()
      await rm(folder, { recursive: true })
    }
  },
)
