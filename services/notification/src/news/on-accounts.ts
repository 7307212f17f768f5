import type { HandlersFor } from '@voxscribe/contracts/events'
import { i18nOf } from '../dispatch/people.ts'
import {
  confirmationMail,
  emailChangedMail,
  hookOffMail,
  passwordChangedMail,
  resetMail,
  supportMail,
  takenOverMail,
  welcomeMail,
} from '../mail/mails.ts'
import type { Deps } from './deps.ts'

/** Keeps people's addresses, and sends the mails about accounts and to support. */
export function createAccountHandlers(deps: Deps) {
  const { outbound, people, publicUrl, whatsappNumber, supportEmail } = deps
  return {
    async UserRegistered(event) {
      await people.save({ _id: event.data.userId, ...event.data })
      const { linkCode } = event.data
      const chat = {
        number: whatsappNumber,
        url: deps.chatUrl.replace('{code}', encodeURIComponent(linkCode)),
      }
      await outbound.mail(
        `welcome:${event.id}`,
        welcomeMail(i18nOf(event.data), event.data, linkCode, chat, publicUrl),
      )
    },
    async UserUpdated(event) {
      await people.save({ _id: event.data.userId, ...event.data })
    },
    async EmailChanged({ id, data }) {
      await outbound.mail(`email-changed:${id}`, emailChangedMail(await people.i18n(data.userId), data))
    },
    async PasswordChanged({ id, data }) {
      await outbound.mail(
        `password-changed:${id}`,
        passwordChangedMail(await people.i18n(data.userId), data, publicUrl),
      )
    },
    async NumberTakenOver({ id, data }) {
      await outbound.mail(
        `taken-over:${id}`,
        takenOverMail(await people.i18n(data.userId), data, data.phone, publicUrl),
      )
    },
    async PasswordResetRequested({ id, data, occurredAt }) {
      const isValid = Date.now() < Date.parse(occurredAt) + data.validSeconds * 1000
      if (isValid) await outbound.mail(`reset:${id}`, resetMail(await people.i18n(data.userId), data))
    },
    async HookTurnedOff(event) {
      const { id, data } = event
      const person = await people.of(data.userId, event)
      if (person)
        await outbound.mail(`hook-off:${id}`, hookOffMail(i18nOf(person), person, data.url, publicUrl))
    },
    /** Passes a message on to support, then confirms it to the sender. */
    async ContactMessageReceived({ id, data }) {
      await outbound.mail(`contact:${id}:support`, supportMail(data, supportEmail))
      await outbound.mail(`contact:${id}:confirmation`, confirmationMail(i18nOf(data), data, supportEmail))
    },
  } satisfies Partial<HandlersFor<'notification'>>
}
