export { eventually } from './eventually.ts'
export { type Line, startProxy } from './proxy.ts'
export { type RabbitServer, SERVER, startRabbitServer } from './rabbit-server.ts'
