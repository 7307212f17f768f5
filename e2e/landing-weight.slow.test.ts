import { gzipSync } from 'node:zlib'
import { UI_LANGUAGES } from '@voxscribe/languages'
import { settled, useBrowser } from './testing/browser.ts'
import { startOneProcess } from './testing/one-process.ts'

/** Bytes of JavaScript, compressed, that the landing page may load. */
const BUDGET = 110_000

const { open } = useBrowser(startOneProcess)

test.each(UI_LANGUAGES)(
  'when the landing page is opened in %s, then its scripts keep the budget',
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
