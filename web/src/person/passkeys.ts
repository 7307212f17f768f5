import { useInstallation } from '../api/installation.tsx'

/** Whether the installation takes passkeys, and this browser has them. */
export function usePasskeys(): { isOffered: boolean; canUse: boolean } {
  const isOffered = useInstallation()?.signIn?.passkeys ?? false
  return { isOffered, canUse: isOffered && 'PublicKeyCredential' in window }
}

/** Loads what speaks to the browser's authenticators. Options are the server's, answers are for it. */
export async function passkeys() {
  const library = await import('@simplewebauthn/browser')
  return {
    canAutofill: library.browserSupportsWebAuthnAutofill,
    make: (options: object) => wordless(library.startRegistration({ optionsJSON: options as never })),
    /** With `useBrowserAutofill` it resolves once the person chooses one at the field. */
    use: (options: object, useBrowserAutofill = false) =>
      wordless(library.startAuthentication({ optionsJSON: options as never, useBrowserAutofill })),
    stop: () => library.WebAuthnAbortService.cancelCeremony(),
  }
}

/** Leaves out the library's words, which are English: screens have their own. */
const wordless = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch(cause => {
    throw new Error('', { cause })
  })
