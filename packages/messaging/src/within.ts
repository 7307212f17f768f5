/** Waits for work at most `waitMs`, then returns (or throws) what `late` does. The work itself goes on. */
export async function within<T>(waitMs: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<void>(resolve => {
    timer = setTimeout(resolve, waitMs)
  })
  return Promise.race([work, tooLate.then(late)]).finally(() => clearTimeout(timer))
}

/** Waits until work has ended, well or badly, but no longer than `waitMs`. Never rejects. */
export async function settledWithin(waitMs: number, work: Promise<unknown>): Promise<void> {
  await within<unknown>(waitMs, Promise.allSettled([work]), () => undefined)
}
