import { MongoDBContainer, type StartedMongoDBContainer } from '@testcontainers/mongodb'
import { RabbitMQContainer, type StartedRabbitMQContainer } from '@testcontainers/rabbitmq'
import { casesOn } from '../cases/all.ts'
import { startOneProcess } from '../testing/one-process.ts'
import { startProcesses } from '../testing/processes.ts'

// `npm run test:containers`: the same cases on the real RabbitMQ and MongoDB, as docker-compose.yml pins them.
const RABBITMQ_IMAGE = 'rabbitmq:4.1.4-management'
const MONGO_IMAGE = 'mongo:8.0.26'

// The clean-up container would have to be fetched too; what is started here is stopped here.
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
  // The replica set calls itself by a name that only containers know.
  MONGO_URL: `${mongo.getConnectionString()}/?directConnection=true`,
  MONGO_DB_PREFIX: prefix,
})

describe('everything in one process, on containers', () => {
  casesOn(env => startOneProcess({ ...backings('one'), ...env }))
})

describe('every service in a process of its own, on containers', () => {
  casesOn(env => startProcesses(backings('apart'), { env }))
})
