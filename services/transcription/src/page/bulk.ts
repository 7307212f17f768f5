import { type Logger, Problem } from '@voxscribe/service'

/** Does something with each note, one after another; what fails for one does not keep it from the others. */
export async function inBulk(
  ids: string[],
  act: (id: string) => Promise<unknown>,
  log: Logger,
): Promise<{ done: string[]; failed: { id: string; message: string }[] }> {
  const done: string[] = []
  const failed: { id: string; message: string }[] = []
  for (const id of ids) {
    try {
      await act(id)
      done.push(id)
    } catch (error) {
      if (!(error instanceof Problem))
        log.error({ err: error, id }, 'one of several notes could not be changed')
      const message = error instanceof Problem ? error.message : 'Something went wrong. Please try again.'
      failed.push({ id, message })
    }
  }
  return { done, failed }
}
