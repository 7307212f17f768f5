import { type Environment, type Management, startManagement } from '@voxscribe/service'

/** Uses any free port if none is set and the default one, which Prometheus and Cockpit use as well, is taken. */
export async function startManagementHere(
  { MANAGEMENT_PORT: port }: { MANAGEMENT_PORT: number },
  environment: Environment,
  say: (line: string) => void,
): Promise<Management> {
  try {
    return await startManagement(port, '127.0.0.1')
  } catch (error) {
    if (environment.MANAGEMENT_PORT || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    const management = await startManagement(0, '127.0.0.1')
    say(`Port ${port} is taken by another program: the management port is ${management.port} this time.`)
    return management
  }
}
