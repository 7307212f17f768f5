import type { CountryItem } from '@voxscribe/contracts/http'
import { useCombobox } from 'downshift'
import { useMemo, useState } from 'react'
import { currentLanguage, i18n } from '../../language/i18n.ts'
import { classes } from '../../ui/classes.ts'
import { CONTROL_LOOK, FieldFrame } from '../../ui/form/field.tsx'
import { Chevron } from '../../ui/icon.tsx'
import { LARGEST_OF_ITS_CODE, leftToRight } from './phone-number.ts'

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/** A country labeled in the reader's language. */
interface Country extends CountryItem {
  english?: string
}

/** Labels and sorts countries in the reader's language; they arrive labeled and sorted in English. */
function inReadersLanguage(countries: CountryItem[]): Country[] {
  if (currentLanguage() === 'en') return countries
  const names = new Intl.DisplayNames(i18n.locale, { type: 'region' })
  const { compare } = new Intl.Collator(i18n.locale)
  return countries
    .map(country => ({ ...country, label: names.of(country.code) ?? country.label, english: country.label }))
    .sort((a, b) => compare(a.label, b.label))
}

/** Ranks a country for the typed text: its code first, then the beginning of its name; 0 is no match. */
function match({ label, english = '', phonecode, code, iso }: Country, wanted: string): number {
  const names = [plain(label), plain(english)]
  const number = wanted.replace(/^\+/, '')
  if (code.toLowerCase() === wanted || iso.toLowerCase() === wanted) return 5
  if (phonecode === `+${number}`) return LARGEST_OF_ITS_CODE.includes(code) ? 4 : 3
  if (names.some(name => name.startsWith(wanted))) return 2
  return names.some(name => name.includes(wanted)) ||
    (/^\d+$/.test(number) && phonecode.startsWith(`+${number}`))
    ? 1
    : 0
}

/** Finds countries by name (the reader's or the English one), phone code (with or without `+`) or code, best first. */
export function matchingCountries(countries: Country[], text: string): Country[] {
  const wanted = plain(text.trim())
  if (!wanted) return countries
  return countries
    .filter(country => match(country, wanted) > 0)
    .sort((a, b) => match(b, wanted) - match(a, wanted))
}

/** Returns the country (alpha-2) of the browser's time zone, if the browser knows the time zones of countries. */
function countryHere(countries: CountryItem[]): string | undefined {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return countries.find(({ code }) => {
    // TypeScript's library doesn't have it yet.
    const place = new Intl.Locale(`und-${code}`) as Intl.Locale & { getTimeZones?(): string[] | undefined }
    return place.getTimeZones?.()?.includes(timeZone)
  })?.code
}

/** Returns a language tag's region. Browsers on Linux may report the language `C`, which isn't a BCP 47 tag. */
function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region
  } catch {
    return undefined
  }
}

/** Returns the country of the browser's region, else of its time zone, else the United States, else the first. */
export function defaultCountryId(countries: CountryItem[]): string {
  const region = navigator.languages.map(regionOf).find(Boolean)
  const find = (wanted: string | undefined) => countries.find(({ code }) => code === wanted)
  return (find(region ?? countryHere(countries)) ?? find('US') ?? countries[0])?.id ?? ''
}

interface CountryPickerProps {
  label: string
  countries: CountryItem[]
  value: string
  onChange(id: string): void
  error?: string
  disabled?: boolean
}

const LIST_LOOK =
  'absolute inset-x-0 z-20 mt-1.5 max-h-72 overflow-y-auto rounded-control border border-edge/60 bg-surface p-1 shadow-sheet'

const written = (country: CountryItem | null) =>
  country ? `${country.label} (${leftToRight(country.phonecode)})` : ''

/** A combobox: opens with the whole list, filters it while the person types, and falls back to the chosen country. */
export function CountryPicker({ label, countries, value, onChange, error, disabled }: CountryPickerProps) {
  const named = useMemo(() => inReadersLanguage(countries), [countries])
  const chosen = named.find(country => country.id === value) ?? null
  const [text, setText] = useState<string | null>(null)
  const shown = matchingCountries(named, text ?? '')
  const box = useCombobox({
    items: shown,
    selectedItem: chosen,
    itemToString: written,
    itemToKey: country => country?.id,
    inputValue: text ?? written(chosen),
    onInputValueChange: ({ inputValue, type }) => {
      if (type === useCombobox.stateChangeTypes.InputChange) setText(inputValue)
    },
    onIsOpenChange: () => setText(null),
    onSelectedItemChange: ({ selectedItem }) => selectedItem && onChange(selectedItem.id),
    stateReducer: (state, { type, changes }) => {
      // Enter takes the first match.
      if (type === useCombobox.stateChangeTypes.InputChange) return { ...changes, highlightedIndex: 0 }
      // Escape only closes; the library would also clear the country.
      if (type === useCombobox.stateChangeTypes.InputKeyDownEscape)
        return { ...changes, selectedItem: state.selectedItem }
      return changes
    },
  })
  return (
    <div className="relative">
      <FieldFrame<'input'>
        label={label}
        error={error}
        disabled={disabled}
        control={own => (
          <div className="relative">
            <span className="pointer-events-none absolute inset-y-0 start-3.5 flex items-center">
              {chosen && text === null && <Flag code={chosen.code} />}
            </span>
            <input
              {...box.getInputProps({
                ...own,
                'aria-labelledby': undefined,
                onFocus: event => event.currentTarget.select(),
                // After the focus the browser puts the caret where the person clicked, but typing must replace the
                // country.
                onClick: event => event.currentTarget.select(),
                onChange: event => setText(event.currentTarget.value),
              })}
              className={classes(CONTROL_LOOK, 'pe-11', text === null && 'ps-12')}
            />
            <button
              type="button"
              {...box.getToggleButtonProps({
                disabled,
                'aria-label': i18n.t('{label}: show the list', { label }),
              })}
              className="absolute inset-y-1 end-1 grid w-9 place-items-center rounded-md text-soft hover:bg-wash hover:text-accent"
            >
              <Chevron />
            </button>
          </div>
        )}
      />
      <ul
        {...box.getMenuProps({ 'aria-label': label })}
        className={classes(LIST_LOOK, (!box.isOpen || !shown.length) && 'hidden')}
      >
        {box.isOpen &&
          shown.map((country, index) => (
            <li
              key={country.id}
              {...box.getItemProps({ item: country, index })}
              className={classes(
                'flex cursor-pointer items-center gap-3 rounded-md px-3 py-2',
                box.highlightedIndex === index && 'bg-wash text-accent',
                country.id === value && 'font-semibold',
              )}
            >
              <Flag code={country.code} />
              <span className="min-w-0 flex-1">{country.label}</span>
              <bdi className="text-soft tabular-nums" dir="ltr">
                {country.phonecode}
              </bdi>
            </li>
          ))}
      </ul>
      {box.isOpen && countries.length > 0 && !shown.length && (
        <p className={classes(LIST_LOOK, 'text-soft')}>
          <span className="block px-3 py-2">{i18n.t('No country found')}</span>
        </p>
      )}
    </div>
  )
}

/** A country's flag by alpha-2 code. Screen readers skip it, as the name is next to it. */
const Flag = ({ code }: { code: string }) => (
  <img
    src={`/flags/${code.toLowerCase()}.svg`}
    alt=""
    width={24}
    height={18}
    loading="lazy"
    className="h-4.5 w-6 shrink-0 rounded-[3px] object-cover outline outline-1 outline-ink/10"
  />
)
