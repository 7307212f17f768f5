import Bowser from 'bowser'

const BROWSERS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.BROWSER_MAP))
const SYSTEMS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.OS_MAP))
/** Longer than any browser's. */
const LONGEST = 500

/** Returns `Firefox on Windows`. Other programs' names are whatever their header says, so only known ones are used. */
export function deviceName(userAgent = ''): string {
  const { browser, os } = userAgent ? Bowser.parse(userAgent.slice(0, LONGEST)) : { browser: {}, os: {} }
  const isKnown = BROWSERS.has(browser.name) && SYSTEMS.has(os.name)
  return isKnown ? `${browser.name} on ${os.name}` : 'Unknown device'
}
