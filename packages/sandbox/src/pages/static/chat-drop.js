import { find } from './dom.js'

const dropNote = find('[data-drop]')
const carriesFile = event => event.dataTransfer?.types.includes('Files')

/** A file dropped anywhere on the page goes to `onFile`. */
export function wireDrop(onFile) {
  addEventListener('dragover', event => {
    if (!carriesFile(event)) return
    event.preventDefault()
    dropNote.hidden = false
  })
  addEventListener('dragleave', event => {
    if (!event.relatedTarget) dropNote.hidden = true
  })
  addEventListener('drop', event => {
    if (!carriesFile(event)) return
    event.preventDefault()
    dropNote.hidden = true
    onFile(event.dataTransfer.files[0] ?? null)
  })
}
