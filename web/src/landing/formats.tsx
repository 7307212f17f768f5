import { AUDIO_FORMATS, VIDEO_FORMATS } from '@voxscribe/contracts/business'

const kinds = { Audio: AUDIO_FORMATS, Video: VIDEO_FORMATS }

export const Formats = () => (
  <section className="page grid gap-x-14 gap-y-6 pt-24 md:grid-cols-[1fr_1.4fr]">
    <div>
      <h2 className="text-3xl sm:text-4xl">Supported types</h2>
      <p className="mt-3 max-w-prose text-soft">
        Voice notes as WhatsApp records them, and files from anywhere else: interviews, lectures, the
        answering machine. Up to 16 MB each.
      </p>
    </div>
    <div className="grid content-start gap-6">
      {Object.entries(kinds).map(([name, formats]) => (
        <div key={name} className="grid gap-3 border-line border-t pt-4 sm:grid-cols-[6rem_1fr]">
          <h3 className="font-sans font-semibold text-base tracking-normal">{name}</h3>
          <ul className="flex flex-wrap gap-2">
            {formats.map(format => (
              <li key={format} className="rounded-md border border-line bg-surface px-3 py-1 font-medium">
                {format.toUpperCase()}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  </section>
)
