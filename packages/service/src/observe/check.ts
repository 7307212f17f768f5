// Checks of the doctor. Each service exports those of its own settings.

/** Outcome of a check; a wrong one names the next step. */
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
  /** Next step if `look` throws or doesn't finish in time. */
  next: string
  look(): Promise<Finding>
  /** Names of checks that come first; unless all of them are ok, this one is skipped. */
  after: string[]
  /** Setting without which there is nothing to check, and what that means. */
  needs?: { setting: string; otherwise: string }
}

export const check = (name: string, next: string, look: Check['look'], ...after: string[]): Check => ({
  name,
  next,
  look,
  after,
})

/** Skips checks if a setting is unset. */
export const onlyWith = (setting: string, otherwise: string, ...checks: Check[]): Check[] =>
  checks.map(each => ({ ...each, needs: { setting, otherwise } }))
