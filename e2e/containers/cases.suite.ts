import { MongoDBContainer, type StartedMongoDBContainer } from '@testcontainers/mongodb'
import { RabbitMQContainer, type StartedRabbitMQContainer } from '@testcontainers/rabbitmq'
import { casesOn } from '../cases/all.ts'
import { startOneProcess } from '../testing/one-process.ts'
import { startProcesses } from '../testing/processes.ts'

// `npm run test:containers`: the same cases on real RabbitMQ and MongoDB, in the versions that docker-compose.yml pins.
const RABBITMQ_IMAGE = 'rabbitmq:4.1.4-management'
const MONGO_IMAGE = 'mongo:8.0.26'

// Avoids pulling the cleanup container: this suite stops what it starts.
process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'

let rabbit: StartedRabbitMQContainer
let mongo: StartedMongoDBContainer
beforeAll(async () => {
  rabbit = await new RabbitMQContainer(RABBITMQ_IMAGE).withStartupTimeout(120_000).start()
  mongo = await new MongoDBContainer(MONGO_IMAGE).start()
})
afterAll(async () => {
  await mongo?.stop()
  await rabbit?.stop()
})

const backings = (prefix: string) => ({
  RABBITMQ_URL: `amqp://guest:guest@${rabbit.getHost()}:${rabbit.getMappedPort(5672)}`,
  // The replica set's own host name is known only to containers.
  MONGO_URL: `${mongo.getConnectionString()}/?directConnection=true`,
  MONGO_DB_PREFIX: prefix,
})

describe('everything in one process, on containers', () => {
  casesOn(env => startOneProcess({ ...backings('one'), ...env }))
})

describe('every service in its own process, on containers', () => {
  casesOn(env => startProcesses(backings('apart'), { env }))
})
