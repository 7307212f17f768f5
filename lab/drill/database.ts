import { startEmbeddedMongo } from '@voxscribe/embedded-mongo'

// Runs the database as a separate process, which can be killed.

const { DRILL_DATABASE: path = '', DRILL_DATABASE_PORT: port } = process.env
const database = await startEmbeddedMongo({ path, port: Number(port) })
process.once('SIGTERM', () => void database.stop().then(() => process.exit(0)))
