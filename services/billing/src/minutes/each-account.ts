/** Processes users one by one. Throws all failures at the end; those users are due again in the next run. */
export async function eachAccount(
  users: string[],
  work: (userId: string) => Promise<unknown>,
): Promise<void> {
  const problems: unknown[] = []
  for (const userId of users) await work(userId).catch(error => problems.push(error))
  if (problems.length)
    throw new AggregateError(problems, `${problems.length} accounts could not be worked on`)
}
