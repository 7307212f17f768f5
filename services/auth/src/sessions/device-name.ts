import Bowser from 'bowser'

const BROWSERS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.BROWSER_MAP))
const SYSTEMS: ReadonlySet<string | undefined> = new Set(Object.values(Bowser.OS_MAP))
/** Longer than any browser's. */
const LONGEST = 500

/**
 * Returns the browser and its system: `Firefox on Windows`. Only names that the library knows, as it takes names of
 * unknown programs from the header as they are.
 */
export function deviceName(userAgent = ''): string {
  const { browser, os } = userAgent ? Bowser.parse(userAgent.slice(0, LONGEST)) : { browser: {}, os: {} }
  const isKnown = BROWSERS.has(browser.name) && SYSTEMS.has(os.name)
  return isKnown ? `${browser.name} on ${os.name}` : 'Unknown device'
}
