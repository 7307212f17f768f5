import { useId, useState } from 'react'
import { i18n } from '../language/i18n.ts'
import { readStored, writeStored } from '../storage.ts'

const STORED = 'voxscribe.theme'
const THEMES = { system: /*i18n*/ 'System', light: /*i18n*/ 'Light', dark: /*i18n*/ 'Dark' }
type Theme = keyof typeof THEMES
/** Colors of the browser's own bars, as in index.html. */
const BARS = { light: '#fbfbf8', dark: '#12141c' }

function storedTheme(): Theme {
  const stored = readStored(STORED) ?? ''
  return Object.hasOwn(THEMES, stored) ? (stored as Theme) : 'system'
}

/** Shows the app in the theme chosen in this browser. */
export function applyTheme() {
  const theme = storedTheme()
  document.documentElement.dataset.theme = theme
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const systemTheme = bar.media.includes('dark') ? 'dark' : 'light'
    bar.content = BARS[theme === 'system' ? systemTheme : theme]
  }
}

export function chooseTheme(theme: Theme) {
  writeStored(STORED, theme)
  applyTheme()
}

/** Switches between the dark, the light and the system's theme. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(storedTheme)
  // If two switches on a page shared a name, only the second would show the choice.
  const name = useId()
  return (
    <fieldset className="flex flex-wrap gap-1">
      <legend className="sr-only">{i18n.t('Appearance')}</legend>
      {Object.entries(THEMES).map(([id, label]) => (
        <label
          key={id}
          className="flex min-h-press cursor-pointer items-center rounded-md px-2.5 hover:text-accent has-checked:bg-wash has-checked:text-accent forced-colors:has-checked:underline has-focus-visible:outline-2"
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={theme === id}
            onChange={() => {
              chooseTheme(id as Theme)
              setTheme(id as Theme)
            }}
          />
          {i18n.t(label)}
        </label>
      ))}
    </fieldset>
  )
}
