// Says the page's labels in the browser's language. The pages are written in English, which stays where words.json has
// nothing, and in whatever people or programs wrote (translate="no").
const LANGUAGES = ['ar', 'de', 'es', 'fr', 'hi', 'id', 'it', 'pt']
const ATTRIBUTES = ['title', 'aria-label', 'placeholder']

const tags = navigator.languages.map(tag => tag.slice(0, 2))
const language = tags.find(tag => tag === 'en' || LANGUAGES.includes(tag)) ?? 'en'
const place = LANGUAGES.indexOf(language)
const words = place < 0 ? {} : await (await fetch('/static/words.json')).json()

export const word = english => words[english]?.[place] ?? english

/** Puts the labels of a page into the browser's language. */
export function say(page) {
  page.documentElement.lang = language
  page.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr'
  page.title = page.title.split(' · ').map(word).join(' · ')
  const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const label = text.data.trim().replace(/\s+/g, ' ')
    if (words[label] && !text.parentElement.closest('[translate=no]'))
      text.data = text.data.replace(/\S(?:.*\S)?/s, () => word(label))
  }
  for (const name of ATTRIBUTES)
    for (const element of page.querySelectorAll(`[${name}]`))
      element.setAttribute(name, word(element.getAttribute(name)))
}
