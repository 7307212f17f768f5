export { eventually } from './eventually.ts'
export { freePorts } from './free-ports.ts'
export { type Line, startProxy } from './proxy.ts'
export { hasRabbitServer, type RabbitServer, startRabbitServer } from './rabbit-server.ts'
