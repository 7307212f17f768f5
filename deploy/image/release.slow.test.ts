import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

test('when a release is made, then an SBOM names what an image has, and nothing of the tests', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'voxscribe-sbom-'))
  try {
    await promisify(execFile)('sh', [join(import.meta.dirname, 'release.sh'), folder, '', '', 'auth'])
    const sbom = JSON.parse(await readFile(join(folder, 'auth.cdx.json'), 'utf8'))
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.any(String) })
    const names = sbom.components.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['mongoose', 'zod', 'express']))
    for (const absent of ['jest', 'openai', '@jest/core']) expect(names).not.toContain(absent)
    for (const { purl, version } of sbom.components)
      expect([purl, version]).toEqual([expect.stringMatching(/^pkg:npm\//), expect.any(String)])
  } finally {
    await rm(folder, { recursive: true })
  }
})
