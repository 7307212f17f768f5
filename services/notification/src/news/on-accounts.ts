import type { EventName, EventOf, HandlersFor } from '@voxscribe/contracts/events'
import { lineOf } from '@voxscribe/contracts/phone-lines'
import { chatUrlOf } from '@voxscribe/service'
import { senderReplacedText } from '../chat/chat-texts.ts'
import type { Deps } from '../deps.ts'
import {
  confirmationMail,
  emailChangedMail,
  hookMadeMail,
  hookOffMail,
  invitationMail,
  keyMadeMail,
  type MailTo,
  numberChangedMail,
  passkeyMail,
  passwordChangedMail,
  passwordRemovedMail,
  resetMail,
  senderReplacedMail,
  signInLinkMail,
  supportMail,
  takenOverMail,
  welcomeMail,
} from '../mail/mails.ts'
import { i18nOf } from '../sending/people.ts'

/** Stores people's addresses, and sends the mails about accounts and to support. */
export function createAccountHandlers(deps: Deps) {
  const { outbound, mails, people, hooks, supportEmail } = deps
  /** Mails the person what was done in their account, in case it was someone else. */
  const mailInCase =
    <Name extends EventName>(key: string, mailTo: MailTo<Name>) =>
    async (event: EventOf<Name> & { data: { userId: string } }) => {
      const { id, data } = event
      const person = await people.of(data.userId, event)
      if (!person) return
      await mails.aboutSafety(`${key}:${id}`, data.userId, mailTo(i18nOf(person), person, data, deps))
    }
  return {
    async UserRegistered(event) {
      await people.save({ _id: event.data.userId, ...event.data })
      const { linkCode } = event.data
      const number = await deps.numberOnOffer()
      const url = chatUrlOf(number, deps.sandboxUrl).replace('{code}', encodeURIComponent(linkCode))
      const chat = { number, url }
      await outbound.mail(
        `welcome:${event.id}`,
        welcomeMail(i18nOf(event.data), event.data, linkCode, chat, deps),
      )
    },
    async UserUpdated(event) {
      const { userId, passwordGeneration = 0 } = event.data
      await people.save({ _id: userId, ...event.data })
      await hooks.turnOffBefore(userId, passwordGeneration)
    },
    async EmailChanged({ id, data }) {
      await outbound.mail(`email-changed:${id}`, emailChangedMail(await people.i18n(data.userId), data, deps))
    },
    async PasswordChanged({ id, data }) {
      const mail = passwordChangedMail(await people.i18n(data.userId), data, deps)
      await mails.aboutSafety(`password-changed:${id}`, data.userId, mail)
    },
    async NumberTakenOver({ id, data }) {
      const mail = takenOverMail(await people.i18n(data.userId), data, deps)
      await mails.aboutSafety(`taken-over:${id}`, data.userId, mail)
    },
    /** Also writes to the previous chat: the owner may still have the phone if someone else has the mailbox. */
    async SenderReplaced({ id, data, occurredAt }) {
      const i18n = await people.i18n(data.userId)
      const mail = senderReplacedMail(i18n, data, occurredAt)
      await mails.aboutSafety(`sender-replaced:${id}:mail`, data.userId, mail)
      const text = senderReplacedText(i18n, data)
      if (data.chat) await outbound.chat(`sender-replaced:${id}:chat`, data.chat, text)
    },
    async NumberChanged(event) {
      const { id, data } = event
      const person = await people.of(data.userId, event)
      if (!person) return
      const isChat = person.chat && lineOf(person.chat.address) === lineOf(data.phone)
      if (isChat) await people.forgetChat(data.userId)
      const mail = numberChangedMail(i18nOf(person), person, data, deps)
      await mails.aboutSafety(`number-changed:${id}`, data.userId, mail)
    },
    async PasswordResetRequested({ id, data, occurredAt }) {
      const isValid = Date.now() < Date.parse(occurredAt) + data.validSeconds * 1000
      if (isValid) await outbound.mail(`reset:${id}`, resetMail(await people.i18n(data.userId), data, deps))
    },
    async SignInLinkRequested({ id, data, occurredAt }) {
      const isValid = Date.now() < Date.parse(occurredAt) + data.validSeconds * 1000
      if (isValid)
        await outbound.mail(`sign-in-link:${id}`, signInLinkMail(await people.i18n(data.userId), data, deps))
    },
    async InvitationMade({ id, data }) {
      const mail = invitationMail(await people.i18n(data.userId), data, deps)
      if (Date.now() < Date.parse(data.expiresAt)) await outbound.mail(`invitation:${id}`, mail)
    },
    async HookTurnedOff(event) {
      const { id, data } = event
      const person = await people.of(data.userId, event)
      const mail = person && hookOffMail(i18nOf(person), person, data, deps)
      if (mail) await mails.toProved(`hook-off:${id}`, person, mail)
    },
    KeyMade: mailInCase('key-made', keyMadeMail),
    PasskeyChanged: mailInCase('passkey', passkeyMail),
    PasswordRemoved: mailInCase('password-removed', passwordRemovedMail),
    HookMade: mailInCase('hook-made', hookMadeMail),
    /** Forwards a message to support, then confirms it to the sender. */
    async ContactMessageReceived({ id, data }) {
      await outbound.mail(`contact:${id}:support`, supportMail(data, supportEmail))
      await outbound.mail(`contact:${id}:confirmation`, confirmationMail(i18nOf(data), data, supportEmail))
    },
  } satisfies Partial<HandlersFor<'notification'>>
}
