/** For words of a button that are heard, not seen: what it acts on, beside whose name it stands. */
export const HEARD = { 0: <span className="sr-only" /> }
