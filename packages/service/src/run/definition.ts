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
import type { ClosedAccounts } from './closed-accounts.ts'
import type { Health } from './management.ts'

/** Request handlers of the services in this process. */
export type LocalServices = Partial<Record<Service, RequestListener>>

/** Dependencies of a service without a database. */
type StatelessParts<Settings> = Pick<Parts<Settings>, 'settings' | 'log'> & {
  localServices: LocalServices
}

export interface Parts<Settings> {
  settings: Settings
  log: Logger
  documents: Documents
  rateLimits: RateLimits
  /** Accounts that were erased or are blocked. Their access tokens are refused, their events are not. */
  closed: ClosedAccounts
  /** Sends data to a topic's listeners in this service's processes, at most once; a process that is down misses it. */
  broadcast(topic: string, data: unknown): void
  /** Listens to a topic from when it resolves until its result is called. Call it in requests, not before the start. */
  onBroadcast: Bus['onBroadcast']
}

/** Periodic work of a service, which never overlaps itself in a process. */
export interface Job {
  name: string
  everyMs: number
  /** Delay of the first run after the start; default: `everyMs`. */
  firstMs?: number
  run(): Promise<void>
}

/** The HTTP side of a service, and its end. */
export interface Exposed {
  routes?: Route[]
  /** Mounts handlers that run before the routes: webhooks that need the raw body, proxies, static files. */
  mount?: (app: Express) => void
  /**
   * Called at SIGTERM, before the stop, while everything else keeps running. Claims no more work, and resolves once
   * work that must not be interrupted has ended or timed out.
   */
  drain?(): Promise<void>
  /** Called first at the stop: ends answers that would go on forever. */
  hangUp?(): void
  /** Called at the stop, once no more requests or messages arrive. */
  close?(): Promise<void>
}

export interface Built<S extends Service> extends Exposed {
  handlers: HandlersFor<S>
  /** Erases what owned documents don't hold, before their deletion and again within an hour: idempotent, in batches. */
  erase?(userId: string, event?: EventOf<'AccountErased'>): Promise<void>
  /** Messages handled at once, by event; default: 10. */
  concurrency?: { [K in keyof HandlersFor<S>]?: number }
  jobs?: Job[]
  /** Health of other backings for `/readyz`, by name. Without one of them, the service stays ready. */
  health?: Record<string, () => Health>
  /** Calls for operators on the management port: `npm run admin`. */
  admin?: Record<string, AdminCall>
  /** Called when a person's access tokens may have ended, here or elsewhere. Must end endless answers to them. */
  accessEnded?(userId: string): void
  /** Listeners for the life of this process, by topic. */
  onBroadcast?: Record<string, (data: unknown) => void>
  /** Called first at the stop: aborts long work, whose messages are redelivered after the next start. */
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

/** Defines a service with documents and events. The compiler requires a handler for each event that the flow sends. */
export const defineService = <S extends Service, Schema extends z.ZodType<BaseSettings>>(
  definition: ServiceDefinition<S, Schema>,
): ServiceDefinition<S, Schema> => definition

/** Defines a service that only answers HTTP. */
export const defineStateless = <Schema extends z.ZodType<HttpSettings>>(
  definition: Omit<StatelessDefinition<Schema>, 'stateless'>,
): StatelessDefinition<Schema> => ({ ...definition, stateless: true })
