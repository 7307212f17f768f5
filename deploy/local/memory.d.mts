export const MEMORY_OPTIONS: string[]
export const MEMORY_ENV: Record<string, string>
