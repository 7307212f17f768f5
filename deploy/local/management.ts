import { type Environment, type Management, startManagement } from '@voxscribe/service'

/** Uses any free port where the default, which Prometheus and Cockpit have too, is taken and none was set. */
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
