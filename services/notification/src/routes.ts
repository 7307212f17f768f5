import { api } from '@voxscribe/contracts/http'
import { implement, networkOf, type RateLimit, type Route } from '@voxscribe/service'
import type { ContactMessages } from './mail/contact-messages.ts'

interface Deps {
  messages: ContactMessages
  limit: RateLimit
}

export const notificationRoutes = ({ messages, limit }: Deps): Route[] => [
  implement(api.contact, async ({ body, ip }) => {
    await limit.count(networkOf(ip))
    await messages.keep(body)
    return { data: null, message: "Message sent successfully! We'll get back to you soon." }
  }),
]
