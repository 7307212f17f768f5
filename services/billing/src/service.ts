import { defineService } from '@voxscribe/service'
import { createAccounts } from './accounts.ts'
import { createHandlers } from './handlers.ts'
import { createJobs } from './jobs.ts'
import { createLedger } from './ledger.ts'
import { createPayments } from './payments.ts'
import { readingRoutes } from './routes.ts'
import { billingSettings } from './settings.ts'

/** Plans, minutes and payments. */
export const billingService = defineService({
  name: 'billing',
  settings: billingSettings,
  build({ documents }) {
    const ledger = createLedger(documents)
    const accounts = createAccounts(documents, ledger, () => new Date())
    const payments = createPayments(documents)
    return {
      handlers: createHandlers({ accounts }),
      routes: readingRoutes({ accounts, ledger, payments }),
      jobs: createJobs({ accounts }),
    }
  },
})
