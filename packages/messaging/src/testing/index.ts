export { eventually } from './eventually.ts'
export { startProxy } from './proxy.ts'
export { type RabbitServer, startRabbitServer } from './rabbit-server.ts'
