import { type AdminCall, checked } from '@voxscribe/service'
import { z } from 'zod'
import type { Accounts } from './minutes/accounts.ts'
import { presentStatus } from './presenting.ts'

const Whose = z.object({ userId: z.string().min(1) })

/** Operator call for an account's plan and minutes. */
export const createOperatorCalls = (accounts: Accounts): Record<string, AdminCall> => ({
  usage: async body => {
    const { userId } = checked(Whose, body)
    const account = await accounts.current(userId)
    const { subscription_minutes, used_minutes, remaining_minutes, payment_problem, ...plan } =
      presentStatus(account)
    return {
      userId,
      plan: plan.plan,
      status: plan.status,
      minutes: subscription_minutes,
      usedMinutes: used_minutes,
      remainingMinutes: remaining_minutes,
      periodStart: account.periodStart.toISOString(),
      periodEnd: account.periodEnd.toISOString(),
      paymentProblem: payment_problem,
    }
  },
})
