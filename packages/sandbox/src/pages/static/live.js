// Refreshes the parts marked with data-live, except the one that has the focus.
const EVERY_MS = 2000

async function refresh() {
  if (document.visibilityState !== 'visible') return
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok) return
  const fresh = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = fresh.querySelector(`[data-live="${part.dataset.live}"]`)
    const busy = part.contains(document.activeElement)
    if (!next || busy || next.innerHTML === part.innerHTML) continue
    const { scrollTop } = part.querySelector('.log') ?? part
    part.replaceChildren(...next.childNodes)
    const list = part.querySelector('.log')
    if (list) list.scrollTop = scrollTop
  }
}

setInterval(() => refresh().catch(() => {}), EVERY_MS)
