import type { KeyScope } from '@voxscribe/contracts/http'

/** Names and sentences of what a program may do, by the scope of its key or connection. */
export const SCOPES: Record<KeyScope, [name: string, opens: string]> = {
  read: [/*i18n*/ 'Read', /*i18n*/ 'It can see your notes, their audio and your profile.'],
  write: [
    /*i18n*/ 'Write',
    /*i18n*/ 'It can send files, and correct, delete and transcribe notes again. That may use minutes.',
  ],
}
