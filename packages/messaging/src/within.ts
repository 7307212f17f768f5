/** Waits for work for at most `waitMs`, then returns (or throws) the result of `late`. The work itself continues. */
export async function within<T>(waitMs: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<void>(resolve => {
    timer = setTimeout(resolve, waitMs)
  })
  return Promise.race([work, tooLate.then(late)]).finally(() => clearTimeout(timer))
}

/** Waits until work is settled, but no longer than `waitMs`. Never rejects. */
export async function settledWithin(waitMs: number, work: Promise<unknown>): Promise<void> {
  await within<unknown>(waitMs, Promise.allSettled([work]), () => undefined)
}
