import { api } from '@voxscribe/contracts/http'
import { implement, type RateLimit, type Route } from '@voxscribe/service'
import type { ContactMessages } from './contact-messages.ts'

export const notificationRoutes = ({
  messages,
  limit,
}: {
  messages: ContactMessages
  limit: RateLimit
}): Route[] => [
  implement(api.contact, async ({ body, ip }) => {
    await limit.count(ip)
    await messages.keep(body)
    return { data: null, message: "Message sent successfully! We'll get back to you soon." }
  }),
]
