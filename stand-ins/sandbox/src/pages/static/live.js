// Refreshes the entries of the parts marked with data-live, except one that has the focus. An entry that has not
// changed stays as it is, so that a playing note goes on.
const EVERY_MS = 1000

function shown(at) {
  const isToday = at.toDateString() === new Date().toDateString()
  return at.toLocaleString([], { ...(!isToday && { dateStyle: 'medium' }), timeStyle: 'short' })
}

/** Shows days and times as this browser's language and zone have them. */
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
