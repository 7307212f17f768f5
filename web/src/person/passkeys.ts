import { useInstallation } from '../api/installation.tsx'

/** Whether the installation accepts passkeys, and whether this browser can use them, too. */
export function usePasskeys(): { isOffered: boolean; canUse: boolean } {
  const isOffered = useInstallation()?.signIn?.passkeys ?? false
  return { isOffered, canUse: isOffered && 'PublicKeyCredential' in window }
}

/** Loads the library that talks to the browser's authenticators. Options come from the server, and results go to it. */
export async function passkeys() {
  const library = await import('@simplewebauthn/browser')
  return {
    canAutofill: library.browserSupportsWebAuthnAutofill,
    make: (options: object) => withoutMessage(library.startRegistration({ optionsJSON: options as never })),
    /** With `useBrowserAutofill`, resolves once the person chooses a passkey at the field. */
    use: (options: object, useBrowserAutofill = false) =>
      withoutMessage(library.startAuthentication({ optionsJSON: options as never, useBrowserAutofill })),
    stop: () => library.WebAuthnAbortService.cancelCeremony(),
  }
}

/** Drops the library's messages, which are English: screens have their own. */
const withoutMessage = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch(cause => {
    throw new Error('', { cause })
  })
