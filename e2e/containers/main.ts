import { spawnSync } from 'node:child_process'
import { getContainerRuntimeClient } from 'testcontainers'
import { ROOT } from '../testing/system.ts'

// `npm run test:containers`: looks for Docker, then runs the suite.
try {
  await getContainerRuntimeClient()
} catch {
  process.stderr.write('The containers suite needs Docker, and no Docker engine answers on this machine.\n')
  process.exit(1)
}
const JEST = ['--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js']
const { status } = spawnSync(
  process.execPath,
  [...JEST, '--config', 'e2e/containers/jest.config.mjs', '--runInBand', ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
)
process.exit(status ?? 1)
