import { shopForAll } from '../testing/shop.ts'
import { troubleCases } from '../testing/trouble.ts'

const shop = shopForAll({ STRIPE_TIMEOUT: '400ms' })
beforeEach(() => {
  shop.webhooks.passOn = null
})

troubleCases(shop, ['error', 'hang'])
