/** Minutes left of a plan: never below zero. */
export const minutesLeft = (total: number, used: number): number => Math.max(0, total - used)
