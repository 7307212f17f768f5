/** The newest token that came while the app was open, and when it expires by this machine's clock. */
let newest: { token: string; end: number } | undefined

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
  newest = iat && exp ? { token, end: Date.now() + (exp - iat) * 1000 } : undefined
}

/** When the token ends, in milliseconds since 1970; never, as far as this app can tell, when it does not say. */
export function expiresAt(token: string): number {
  const { exp = Number.POSITIVE_INFINITY } = claims(token)
  return newest?.token === token ? newest.end : exp * 1000
}
