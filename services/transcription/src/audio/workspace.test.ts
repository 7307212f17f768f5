import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { withFolder } from './workspace.ts'

test.each([
  ['works', () => {}],
  [
    'fails',
    () => {
      throw new Error('broken')
    },
  ],
])('when the work %s, then nothing of its folder is left', async (_how, end) => {
  let used = ''
  await withFolder(async folder => {
    used = folder
    await writeFile(join(folder, 'samples.raw'), 'sound')
    end()
  }).catch(() => {})
  expect(used).not.toBe('')
  expect(existsSync(used)).toBe(false)
})
