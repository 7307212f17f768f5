// Refreshes the entries of parts marked with data-live, except a focused one. Unchanged entries stay in place, so that
// a note keeps playing.
const EVERY_MS = 1000

function shown(at) {
  const isToday = at.toDateString() === new Date().toDateString()
  return at.toLocaleString([], { ...(!isToday && { dateStyle: 'medium' }), timeStyle: 'short' })
}

/** Formats days and times in this browser's language and zone. */
function localise(page) {
  for (const time of page.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime)
    const isDay = !time.dateTime.includes('T')
    time.textContent = isDay ? at.toLocaleDateString([], { dateStyle: 'medium', timeZone: 'UTC' }) : shown(at)
  }
}

export async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  localise(fresh)
  for (const part of document.querySelectorAll('[data-live]')) {
    const entries = [...fresh.querySelector(`[data-live="${part.dataset.live}"]`).children]
    while (part.children.length > entries.length) part.lastElementChild.remove()
    for (const [place, entry] of entries.entries()) {
      const shown = part.children[place]
      if (!shown) part.append(entry)
      else if (!shown.isEqualNode(entry) && !shown.contains(document.activeElement)) shown.replaceWith(entry)
    }
  }
}

localise(document)
if (document.querySelector('[data-live]'))
  setInterval(() => document.hidden || refresh().catch(() => {}), EVERY_MS)
