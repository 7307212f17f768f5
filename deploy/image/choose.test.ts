import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SERVICES } from '@voxscribe/contracts/events'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const out = mkdtempSync(join(tmpdir(), 'voxscribe-image-'))
afterAll(() => rm(out, { recursive: true }))

async function chosenFor(service: string) {
  const folder = join(out, service)
  await run(process.execPath, ['deploy/image/choose.ts', service, folder], { cwd: root })
  const text = (path: string) => readFileSync(join(folder, path), 'utf8')
  return {
    text,
    manifest: JSON.parse(text('manifests/package.json')) as { workspaces: string[] },
    files: globSync('sources/**/*.ts', { cwd: folder }),
    has: (path: string) => existsSync(join(folder, path)),
  }
}

describe('what goes into an image', () => {
  test.each(SERVICES)(
    'when it is for %s, then only that service and what it uses is there',
    async service => {
      const { manifest, text, files, has } = await chosenFor(service)
      const speech = service === 'transcription' ? ['speech'] : []
      const shared = ['contracts', 'languages', 'messaging', 'service', ...speech].map(
        name => `packages/${name}`,
      )
      const used = [...shared, `services/${service}`]
      expect(manifest.workspaces).toEqual(used)
      for (const workspace of used)
        expect(text(`manifests/${workspace}/package.json`)).not.toContain('devDependencies')
      expect(files.filter(path => /\.test\.ts$|\/testing(\/|\.ts)/.test(path))).toEqual([])
      expect(files).toContain(`sources/services/${service}/src/main.ts`)
      for (const file of ['web/index.html', 'docs/api.md'])
        expect(has(`web-sources/${file}`)).toBe(service === 'gateway')
    },
  )

  test('when it is for the sandbox, then nothing of the product is there', async () => {
    const { manifest } = await chosenFor('sandbox')
    expect(manifest.workspaces).toEqual(['stand-ins/sandbox'])
  })

  test('when there is no such service, then it says what to give', async () => {
    await expect(chosenFor('postman')).rejects.toThrow('There is no service "postman"')
  })

  test('when it is for everything in one process, then all services, the doctor and the page are there', async () => {
    const { manifest, has } = await chosenFor('one-box')
    for (const service of SERVICES) expect(manifest.workspaces).toContain(`services/${service}`)
    for (const file of ['local/main.ts', 'local/doctor/main.ts', 'local/backup.ts'])
      expect(has(`sources/deploy/${file}`)).toBe(true)
    expect(has('web-sources/web/index.html')).toBe(true)
  })

  test.each(['transcription', 'one-box'])(
    'when production code in the image of %s imports a file of the repository, then that file is there',
    async image => {
      const { files, text, has } = await chosenFor(image)
      for (const file of files)
        for (const [, target = ''] of text(file).matchAll(/^(?:import|export|\}) .*from '(\.[^']+)'/gm))
          expect({
            file,
            target,
            there:
              has(join(file, '..', target)) ||
              has(join(file.replace('sources/', 'manifests/'), '..', target)),
          }).toEqual({
            file,
            target,
            there: true,
          })
    },
  )
})
