const IN_TIME = { setTimeout, setInterval }

/** Replaces delays of timers until the test ends. Testing Library would advance Jest's fake timers. */
export function replaceDelays(instead: Record<number, number>): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const inTime = IN_TIME[name] as (run: () => void, ms?: number, ...more: unknown[]) => number
    const hurried = (run: () => void, ms = 0, ...more: unknown[]) => inTime(run, instead[ms] ?? ms, ...more)
    Object.assign(globalThis, { [name]: hurried })
  }
}

export const restoreTimers = () => Object.assign(globalThis, IN_TIME)
