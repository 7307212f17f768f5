import { Session } from 'node:inspector'

// Starts and stops a service without a database, then prints every module that was loaded for it.

const loaded: string[] = []
const session = new Session()
session.connect()
session.on('Debugger.scriptParsed', ({ params }) => loaded.push(params.url))
session.post('Debugger.enable')
const { defineStateless, httpSettings, runService } = await import('../index.ts')
const definition = defineStateless({ name: 'gateway', settings: httpSettings, build: () => ({}) })
const { OTEL_EXPORTER_OTLP_ENDPOINT } = process.env
const env = { PORT: '0', MANAGEMENT_PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' }
const running = await runService(definition, { ...env, OTEL_EXPORTER_OTLP_ENDPOINT })
await running.stop()
session.disconnect()
process.stdout.write(JSON.stringify(loaded))
