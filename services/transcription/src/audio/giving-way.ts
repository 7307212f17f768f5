import { onPath } from '../on-path.ts'

/** Against a busy service a program still gets a quarter of a core: notes must come on in a flood, too. */
const NICENESS = 5

const nice = onPath('nice')

/**
 * Beginning of a command line that lets webhooks, pages and answers go before the program after it, also one that works
 * for somebody else's note. All such programs give way alike, so their shares among themselves stay the same.
 */
export const givingWay: readonly string[] = nice ? [nice, '-n', `${NICENESS}`] : []
