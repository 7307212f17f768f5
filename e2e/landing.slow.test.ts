import { gzipSync } from 'node:zlib'
import { UI_LANGUAGES } from '@voxscribe/languages'
import type { Page } from 'playwright-core'
import { faultsIn, PHONE, settled, useBrowser } from './testing/browser.ts'
import { startOneProcess } from './testing/one-process.ts'

/** Maximum bytes of compressed JavaScript that the landing page loads. */
const BUDGET = 110 * 1024

const { open } = useBrowser(startOneProcess)

test.each(UI_LANGUAGES)(
  'when the landing page is opened in %s, then its scripts are within the budget',
  async locale => {
    const page = await open({ locale, serviceWorkers: 'block' })
    const scripts: Promise<number>[] = []
    page.on('response', answer => {
      if (answer.request().resourceType() === 'script')
        scripts.push(answer.body().then(body => gzipSync(body).length))
    })
    await page.goto('/')
    await settled(page)
    await page.waitForLoadState('networkidle')
    expect(await page.locator('html').getAttribute('lang')).toMatch(locale)
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThanOrEqual(BUDGET)
  },
)

/** Returns the page's animations: duration in milliseconds, and the animated properties. */
const motions = (page: Page) =>
  page.evaluate(() =>
    document.getAnimations().map(({ effect }) => {
      const frames = (effect as KeyframeEffect).getKeyframes()
      const { computedOffset, easing, composite, offset, ...changed } = frames[0] ?? {}
      return { takes: Number(effect?.getComputedTiming().endTime), changes: Object.keys(changed) }
    }),
  )

test.each(['light', 'dark'] as const)(
  'when the landing page is animated (%s), then it keeps its contrast at every moment',
  async colorScheme => {
    const page = await open({ colorScheme, viewport: PHONE })
    await page.goto('/')
    await settled(page)
    const moving = await motions(page)
    expect(moving.length).toBeGreaterThan(20)
    // Nothing fades: visible elements are fully opaque.
    expect([...new Set(moving.flatMap(({ changes }) => changes))].sort()).toEqual(['clipPath', 'transform'])
    const end = Math.max(...moving.map(({ takes }) => takes))
    for (let at = 0; at <= end; at += end / 8) {
      await page.evaluate(moment => {
        for (const animation of document.getAnimations()) {
          animation.pause()
          animation.currentTime = moment
        }
      }, at)
      expect([at, await faultsIn(page)]).toEqual([at, []])
    }
  },
)

test('when a person prefers reduced motion, then nothing on the landing page moves', async () => {
  const page = await open({ reducedMotion: 'reduce' })
  await page.goto('/')
  await settled(page)
  expect((await motions(page)).filter(({ takes }) => takes > 1)).toEqual([])
})
