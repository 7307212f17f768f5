/** Accounts of one run of a job; the next run continues. */
export const MAX_ACCOUNTS = 10_000

/**
 * Works through the users one by one. One that fails does not stop the others, and is due again at the job's next run.
 * Throws at the end, with all that went wrong.
 */
export async function eachAccount(
  users: string[],
  work: (userId: string) => Promise<unknown>,
): Promise<void> {
  const problems: unknown[] = []
  for (const userId of users) await work(userId).catch(error => problems.push(error))
  if (problems.length)
    throw new AggregateError(problems, `${problems.length} accounts could not be worked on`)
}
