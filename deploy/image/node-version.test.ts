import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const textOf = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

test('the images have the very Node that the package says and the tests run on', () => {
  const { node } = JSON.parse(textOf('package.json')).devDependencies
  expect(node).toMatch(/^24\.\d+\.\d+$/)
  const named = [...textOf('deploy/Dockerfile').matchAll(/node:(\d+\.\d+\.\d+)-/g)].map(
    ([, version]) => version,
  )
  expect(named.length).toBeGreaterThan(0)
  expect(new Set(named)).toEqual(new Set([node]))
})
