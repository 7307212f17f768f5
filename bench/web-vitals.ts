import { openBrowser, PHONE, type Visit, visit } from '../e2e/testing/browser.ts'
import { startOneProcess } from '../e2e/testing/one-process.ts'

// How the open pages load on a slow telephone: Chromium at a quarter of its speed, 1.6 Mbit/s, 150 ms to the server.
// The same page without throttling, in the same run, tells what the machine itself takes.
// Run: node bench/web-vitals.ts — after `npm start` or `npm test` has built the web application, with Chromium installed.

const PAGES = ['/', '/pricing', '/signup']
const SLOW = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000 }

interface Figures {
  /** Milliseconds. */
  lcp: number
  cls: number
  /** Milliseconds beyond 50 of every long task. */
  blocking: number
  /** Bytes of JavaScript as transferred. */
  script: number
}

async function measure(page: Visit['page'], path: string): Promise<Figures> {
  await page.addInitScript(() => {
    const seen = { lcp: 0, cls: 0, blocking: 0 }
    Object.assign(globalThis, { seen })
    const watch = (type: string, note: (entry: PerformanceEntry & { value?: number }) => void) =>
      new PerformanceObserver(list => list.getEntries().forEach(note)).observe({ type, buffered: true })
    watch('largest-contentful-paint', entry => {
      seen.lcp = entry.startTime
    })
    watch('layout-shift', entry => {
      seen.cls += entry.value ?? 0
    })
    watch('longtask', entry => {
      seen.blocking += Math.max(0, entry.duration - 50)
    })
  })
  await page.goto(path, { waitUntil: 'networkidle' })
  await page.waitForFunction(() => (globalThis as unknown as { seen: { lcp: number } }).seen.lcp > 0)
  return page.evaluate(() => {
    const scripts = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const script = scripts
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { transferSize }) => sum + transferSize, 0)
    return { ...(globalThis as unknown as { seen: Omit<Figures, 'script'> }).seen, script }
  })
}

const system = await startOneProcess()
const browser = await openBrowser()
try {
  console.log('page      speed       LCP ms   CLS   blocked ms   script kB')
  for (const path of PAGES) {
    for (const speed of ['slow phone', 'unthrottled']) {
      const { page, close } = await visit(browser, system.appUrl, { viewport: PHONE })
      if (speed === 'slow phone') {
        const devtools = await page.context().newCDPSession(page)
        await devtools.send('Network.emulateNetworkConditions', SLOW)
        await devtools.send('Emulation.setCPUThrottlingRate', { rate: 4 })
      }
      const { lcp, cls, blocking, script } = await measure(page, path)
      const figures = [
        lcp.toFixed(0).padStart(6),
        cls.toFixed(3).padStart(6),
        blocking.toFixed(0).padStart(10),
        (script / 1000).toFixed(1).padStart(11),
      ]
      console.log(path.padEnd(9), speed.padEnd(11), ...figures)
      await close()
    }
  }
} finally {
  await browser.close()
  await system.remove()
}
