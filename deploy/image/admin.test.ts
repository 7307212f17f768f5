import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

// The commands are tested in e2e/operators.slow.test.ts.
test.each([{ MANAGEMENT_URL: '127.0.0.1:9090' }, { MANAGEMENT_URL: '', MANAGEMENT_PORT: 'abc' }])(
  'when the address is %j, then it says what one looks like, and ends with 2',
  async wrong => {
    const program = join(import.meta.dirname, 'admin.ts')
    const asked = promisify(execFile)(process.execPath, [program, 'find', 'ada'], {
      env: { ...process.env, ...wrong },
    })
    await expect(asked).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^\S+ is no address such as http:\/\/127\.0\.0\.1:9090: set MANAGEMENT_URL/,
      ),
    })
  },
)
