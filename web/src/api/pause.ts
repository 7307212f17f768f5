export const pause = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))
