/** Builds an element; text stays text. Properties with `null` or `false` are left out. */
export function element(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split('.')
  const node = document.createElement(name || 'div')
  node.classList.add(...classes)
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue
    node.setAttribute(key, value === true ? '' : value)
  }
  node.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false))
  return node
}

const SVG = 'http://www.w3.org/2000/svg'

/** A picture of icons.svg; with a label it is read out, without it is decoration. */
export function icon(name, { label, classes = 'icon' } = {}) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('class', classes)
  if (label) {
    svg.setAttribute('role', 'img')
    svg.setAttribute('aria-label', label)
  } else svg.setAttribute('aria-hidden', 'true')
  const use = document.createElementNS(SVG, 'use')
  use.setAttribute('href', `/static/icons.svg#${name}`)
  svg.append(use)
  return svg
}

/** Calls the sandbox's API; throws its sentence when it refuses. */
export async function call(method, path, body) {
  const form = body instanceof FormData
  const answer = await fetch(path, {
    method,
    headers: body && !form ? { 'content-type': 'application/json' } : {},
    body: body && !form ? JSON.stringify(body) : body,
  })
  const text = await answer.text()
  const data = text ? JSON.parse(text) : null
  if (!answer.ok) throw new Error(data?.error?.message ?? data?.error ?? `Answered ${answer.status}`)
  return data
}

export const find = selector => document.querySelector(selector)

export const time = iso => new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

export function size(bytes) {
  if (bytes < 1000) return `${bytes} bytes`
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
