const find = selector => document.querySelector(selector)

// WhatsApp's own voice notes are Ogg with Opus; if the browser can't record that, its own format is sent.
const TYPES = ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4', 'audio/webm']
const ENDINGS = { 'audio/ogg': 'ogg', 'audio/mp4': 'm4a', 'audio/webm': 'webm' }

const bar = find('[data-recording]')
const line = find('[data-line]')
const clock = find('[data-clock]')
const record = find('[data-record]')

/** Wires the microphone; `onNote` gets the recorded file, `onProblem` a sentence. */
export function wireRecorder({ onNote, onProblem }) {
  let recorder = null
  let keep = false

  async function start() {
    const type = globalThis.MediaRecorder && TYPES.find(candidate => MediaRecorder.isTypeSupported(candidate))
    if (!type || !navigator.mediaDevices)
      return onProblem('This browser cannot record here. A microphone needs http://localhost or https.')
    let stream
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: true })
    } catch {
      return onProblem('The microphone is not available. Allow it for this page, or attach a file.')
    }
    const pieces = []
    recorder = new MediaRecorder(stream, { mimeType: type, audioBitsPerSecond: 32_000 })
    recorder.ondataavailable = ({ data }) => pieces.push(data)
    recorder.onstop = () => {
      clearInterval(timer)
      for (const track of stream.getTracks()) track.stop()
      toggle(false)
      const mime = recorder.mimeType || type
      recorder = null
      if (keep)
        onNote(new File(pieces, `voice-note.${ENDINGS[mime.split(';')[0]] ?? 'webm'}`, { type: mime }))
    }
    const began = Date.now()
    const tell = () => {
      const seconds = Math.floor((Date.now() - began) / 1000)
      clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    }
    tell()
    const timer = setInterval(tell, 250)
    recorder.start(1000)
    toggle(true)
  }

  function toggle(on) {
    bar.hidden = !on
    line.hidden = on
    ;(on ? find('[data-finish]') : record).focus()
  }

  function finish(send) {
    keep = send
    if (recorder?.state === 'recording') recorder.stop()
  }

  record.addEventListener('click', start)
  find('[data-finish]').addEventListener('click', () => finish(true))
  find('[data-discard]').addEventListener('click', () => finish(false))
  bar.addEventListener('keydown', event => {
    if (event.key === 'Escape') finish(false)
  })
}
