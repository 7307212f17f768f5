import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
function startWith(settings: Record<string, string>) {
  const env = { PATH: process.env.PATH, ...settings }
  const { status, stderr } = spawnSync(process.execPath, ['--no-warnings', main], { env, encoding: 'utf8' })
  return { status, lines: stderr.trimEnd().split('\n') }
}

test('when settings are wrong, then the start stops with a line for each', () => {
  const { status, lines } = startWith({ SANDBOX_PORT: '99999', SANDBOX_SIMULATES: 'fax' })
  expect(status).toBe(1)
  expect(lines).toEqual([
    'sandbox: These settings are wrong:',
    expect.stringMatching(/^ {2}SANDBOX_PORT: /),
    expect.stringMatching(/^ {2}SANDBOX_SIMULATES\.0: /),
    '  APP_URL: is needed',
  ])
})

test('when what a simulated part needs is missing, then every name of it is told', () => {
  const { status, lines } = startWith({ APP_URL: 'http://localhost:8080', SANDBOX_SIMULATES: 'stripe' })
  expect(status).toBe(1)
  expect(lines.slice(1).map(line => line.trim().split(':')[0])).toEqual([
    'STRIPE_SECRET_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ])
})
