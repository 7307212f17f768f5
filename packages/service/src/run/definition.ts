import type { RequestListener } from 'node:http'
import type { EventOf, HandlersFor, Service } from '@voxscribe/contracts/events'
import type { Bus } from '@voxscribe/messaging'
import type { Express } from 'express'
import type { z } from 'zod'
import type { Documents } from '../database/documents.ts'
import type { RateLimits } from '../http/rate-limits.ts'
import type { Route } from '../http/routes.ts'
import type { Logger } from '../observe/log.ts'
import type { BaseSettings, HttpSettings } from '../settings/common-settings.ts'
import type { AdminCall } from './admin.ts'
import type { Closed } from './closed.ts'
import type { Health } from './management.ts'

/** Services that run in the same process, by what handles their requests. */
export type LocalServices = Partial<Record<Service, RequestListener>>

/** Dependencies of a service without a database. */
export type StatelessParts<Settings> = Pick<Parts<Settings>, 'settings' | 'log'> & {
  localServices: LocalServices
}

export interface Parts<Settings> {
  settings: Settings
  log: Logger
  documents: Documents
  rateLimits: RateLimits
  /** The accounts that were erased here, or are blocked. Their access tokens are refused, their events are not. */
  closed: Closed
  /** Sends data to all listeners of a topic in this service's processes, at most once; one that is down never gets it. */
  broadcast(topic: string, data: unknown): void
  /** Listens to a topic from when this resolves until the returned function is called. For requests: not before the start. */
  onBroadcast: Bus['onBroadcast']
}

/** Periodic work of a service; a process never runs it twice at once. */
export interface Job {
  name: string
  everyMs: number
  /** Its first run after the start; default: as the others, after `everyMs`. */
  firstMs?: number
  run(): Promise<void>
}

/** The HTTP side of a service, and its end. */
export interface Exposed {
  routes?: Route[]
  /** Mounts handlers that run before the routes: webhooks that need the raw body, proxies, static files. */
  mount?: (app: Express) => void
  /**
   * Called at SIGTERM, before the stop, while everything else keeps running: claims no more work, and resolves when work that must
   * not be broken off has ended, or its time is over.
   */
  drain?(): Promise<void>
  /** Called first at the stop: ends endless answers. */
  hangUp?(): void
  /** Called at the stop, once no more requests or messages come in. */
  close?(): Promise<void>
}

export interface Built<S extends Service> extends Exposed {
  handlers: HandlersFor<S>
  /** Erases what owned documents do not hold, before these go, and again within the hour: idempotent, in batches. */
  erase?(userId: string, event?: EventOf<'AccountErased'>): Promise<void>
  /** Messages at once, by event; default: 10. */
  concurrency?: { [K in keyof HandlersFor<S>]?: number }
  jobs?: Job[]
  /** Health of further backings for `/readyz`, by name; a service without one of them stays ready. */
  health?: Record<string, () => Health>
  /** Calls for operators, at the management port: `npm run admin`. */
  admin?: Record<string, AdminCall>
  /** Access tokens of a person may have ended, in this process or another: endless answers to them are to end. */
  accessEnded?(userId: string): void
  /** Listeners of this process as long as it runs, by topic. */
  onBroadcast?: Record<string, (data: unknown) => void>
  /** Called first at the stop: long work breaks off; its messages come again at the next start. */
  stopping?(): void
}

export interface ServiceDefinition<S extends Service, Schema extends z.ZodType<BaseSettings>> {
  name: S
  settings: Schema
  build(parts: Parts<z.output<Schema>>): Promise<Built<S>> | Built<S>
}

/** A service with neither a database nor messages: the gateway. */
export interface StatelessDefinition<Schema extends z.ZodType<HttpSettings>> {
  name: Service
  settings: Schema
  stateless: true
  build(parts: StatelessParts<z.output<Schema>>): Promise<Exposed> | Exposed
}

/** A service with documents and events; the compiler asks for a handler of each event that the flow sends it. */
export const defineService = <S extends Service, Schema extends z.ZodType<BaseSettings>>(
  definition: ServiceDefinition<S, Schema>,
): ServiceDefinition<S, Schema> => definition

/** Defines a service that only answers HTTP. */
export const defineStateless = <Schema extends z.ZodType<HttpSettings>>(
  definition: Omit<StatelessDefinition<Schema>, 'stateless'>,
): StatelessDefinition<Schema> => ({ ...definition, stateless: true })
