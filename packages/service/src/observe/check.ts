// What the doctor looks at: each service exports the checks of its own settings.

/** Outcome of a check; a wrong one has its next step. */
export interface Finding {
  state: 'ok' | 'wrong' | 'skipped'
  saw: string
  next: string | null
}

export const ok = (saw: string): Finding => ({ state: 'ok', saw, next: null })
export const skipped = (saw: string): Finding => ({ state: 'skipped', saw, next: null })
export const wrong = (saw: string, next: string): Finding => ({ state: 'wrong', saw, next })

export interface Check {
  name: string
  /** Next step when `look` throws, or finds nothing out in time. */
  next: string
  look(): Promise<Finding>
  /** Names of checks that come first: while one of them is not ok, this one is skipped. */
  after: string[]
  /** The setting without which there is nothing to look at, and what is so then. */
  needs?: { setting: string; otherwise: string }
}

export const check = (name: string, next: string, look: Check['look'], ...after: string[]): Check => ({
  name,
  next,
  look,
  after,
})

/** Skips checks without a setting. */
export const onlyWith = (setting: string, otherwise: string, ...checks: Check[]): Check[] =>
  checks.map(each => ({ ...each, needs: { setting, otherwise } }))
