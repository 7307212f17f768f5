/** Accounts looked up at once. */
const AT_ONCE = 100
/** A run of a job ends after this many rounds; the next run continues. */
const ROUNDS = 100

/** Users who are due, except those in `without`. */
export type Due = (limit: number, without: string[]) => Promise<string[]>

/**
 * Works through the users that are due. One that fails does not stop the others: it is left out until the job's next run.
 * Throws at the end, with all that went wrong.
 */
export async function eachAccount(due: Due, work: (userId: string) => Promise<unknown>): Promise<void> {
  const problems: unknown[] = []
  const failed: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const users = await due(AT_ONCE, failed)
    for (const userId of users) {
      await work(userId).catch(error => {
        problems.push(error)
        failed.push(userId)
      })
    }
    if (users.length < AT_ONCE) break
  }
  if (problems.length)
    throw new AggregateError(problems, `${problems.length} accounts could not be worked on`)
}
