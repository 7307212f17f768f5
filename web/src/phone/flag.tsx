/** A country's flag by its alpha-2 code; the name is next to it, so screen readers skip it. */
export const Flag = ({ code }: { code: string }) => (
  <img
    src={`/flags/${code.toLowerCase()}.svg`}
    alt=""
    width={24}
    height={18}
    loading="lazy"
    className="h-4.5 w-6 shrink-0 rounded-[3px] object-cover outline outline-1 outline-ink/10"
  />
)
