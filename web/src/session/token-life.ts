/** Times, by this machine's clock, at which tokens received while the app was open expire. */
const ends = new Map<string, number>()

function claims(token: string): { iat?: number; exp?: number } {
  try {
    const part = token.split('.')[1] ?? ''
    return Object(JSON.parse(atob(part.replace(/-/g, '+').replace(/_/g, '/'))))
  } catch {
    return {}
  }
}

/** Remembers when the token came: its lifetime counted from now is right even when this machine's clock is wrong. */
export function noteReceived(token: string) {
  const { iat, exp } = claims(token)
  ends.clear()
  if (iat && exp) ends.set(token, Date.now() + (exp - iat) * 1000)
}

/** When the token ends, in milliseconds since 1970; never, as far as this app can tell, when it does not say. */
export function expiresAt(token: string): number {
  const { exp } = claims(token)
  return ends.get(token) ?? (exp ? exp * 1000 : Number.POSITIVE_INFINITY)
}
