export declare const MEMORY_OPTIONS: string[]
export declare const MEMORY_ENV: Record<string, string>
