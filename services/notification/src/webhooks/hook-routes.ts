import { api } from '@voxscribe/contracts/http'
import { implement, type RateLimit, type Route, refusal } from '@voxscribe/service'
import { type Deliveries, presentDelivery } from './deliveries.ts'
import { type Hooks, presentHook } from './hooks.ts'

interface Deps {
  hooks: Hooks
  deliveries: Deliveries
  /** Limit of tests and repeats per person. */
  limit: RateLimit
  /** Starts the due deliveries. */
  look(): Promise<void>
}

export function hookRoutes({ hooks, deliveries, limit, look }: Deps): Route[] {
  return [
    implement(api.hooks, async ({ userId }) => ({
      data: { hooks: (await hooks.of(userId)).map(presentHook) },
    })),
    implement(api.createHook, async ({ userId, claims, body }) => {
      const hook = await hooks.create(userId, claims.generation, body)
      return { data: { hook: presentHook(hook), secret: hook.secret }, message: SHOWN_ONCE }
    }),
    implement(api.changeHook, async ({ userId, claims, params, body }) => ({
      data: { hook: presentHook(await hooks.change(userId, claims.generation, params.id, body)) },
      message: 'The hook was changed',
    })),
    implement(api.deleteHook, async ({ userId, params }) => {
      const { _id } = await hooks.one(userId, params.id)
      await deliveries.forget({ hookId: _id })
      await hooks.end(userId, _id)
      return { data: null, message: 'The hook was deleted' }
    }),
    implement(api.rotateHook, async ({ userId, params }) => {
      const hook = await hooks.rotate(userId, params.id)
      return { data: { hook: presentHook(hook), secret: hook.secret }, message: SHOWN_ONCE }
    }),
    implement(api.testHook, async ({ userId, params }) => {
      const hook = await hooks.one(userId, params.id)
      await limit.count(userId)
      const delivery = await deliveries.test(hook)
      void look()
      return { data: { delivery: presentDelivery(delivery) } }
    }),
    implement(api.hookDeliveries, async ({ userId, params }) => {
      const { _id } = await hooks.one(userId, params.id)
      return { data: { deliveries: (await deliveries.of(_id)).map(presentDelivery) } }
    }),
    implement(api.deliverAgain, async ({ userId, params }) => {
      const hook = await hooks.one(userId, params.id)
      if (!hook.enabled) throw refusal('hook_off')
      await limit.count(userId)
      const delivery = await deliveries.again(hook._id, params.deliveryId)
      void look()
      return { data: { delivery: presentDelivery(delivery) } }
    }),
  ]
}

const SHOWN_ONCE = 'This secret is shown only now. Copy it.'
