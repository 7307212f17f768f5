import Bowser from 'bowser'

const BROWSERS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.BROWSER_MAP))
const SYSTEMS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.OS_MAP))
/** Longer than any browser's `User-Agent`. */
const LONGEST = 500

/** Returns a name like `Firefox on Windows`. Only known names are used, because other programs can send anything. */
export function deviceName(userAgent = ''): string {
  const { browser, os } = userAgent ? Bowser.parse(userAgent.slice(0, LONGEST)) : { browser: {}, os: {} }
  const isKnown = BROWSERS.has(browser.name) && SYSTEMS.has(os.name)
  return isKnown ? `${browser.name} on ${os.name}` : 'Unknown device'
}
