interface Price {
  /** US dollars for a million tokens. */
  input: number
  output: number
}

const [OPENAI, MISTRAL, GROQ] = ['api.openai.com', 'api.mistral.ai', 'api.groq.com']

/** As listed by `litellm` 1.110.2 (PyPI, model_prices_and_context_window); read on 2026-11-29. */
const TABLE: [host: string, model: string, input: number, output: number][] = [
  [OPENAI, 'gpt-5.6', 4, 20],
  [OPENAI, 'gpt-5.6-terra', 2, 12],
  [OPENAI, 'gpt-5.6-luna', 0.2, 1.2],
  [OPENAI, 'gpt-5.5', 5, 30],
  [OPENAI, 'gpt-5.4', 2.5, 15],
  [OPENAI, 'gpt-5.4-mini', 0.75, 4.5],
  [OPENAI, 'gpt-5.4-nano', 0.2, 1.25],
  [OPENAI, 'gpt-5.2', 1.75, 14],
  [OPENAI, 'gpt-5.1', 1.25, 10],
  [OPENAI, 'gpt-5', 1.25, 10],
  [OPENAI, 'gpt-5-mini', 0.25, 2],
  [OPENAI, 'gpt-5-nano', 0.05, 0.4],
  [OPENAI, 'gpt-4.1', 2, 8],
  [OPENAI, 'gpt-4.1-mini', 0.4, 1.6],
  [OPENAI, 'gpt-4o', 2.5, 10],
  [OPENAI, 'gpt-4o-mini', 0.15, 0.6],
  [MISTRAL, 'mistral-large-latest', 0.5, 1.5],
  [MISTRAL, 'mistral-medium-latest', 1.5, 7.5],
  [MISTRAL, 'mistral-small-latest', 0.15, 0.6],
  [MISTRAL, 'mistral-small-2603', 0.15, 0.6],
  [MISTRAL, 'ministral-8b-latest', 0.15, 0.15],
  [GROQ, 'openai/gpt-oss-120b', 0.15, 0.6],
  [GROQ, 'openai/gpt-oss-20b', 0.075, 0.3],
]

/** OpenAI's models may end with a date: `gpt-5-mini-2025-08-07`. */
const DAY = /-\d{4}-\d\d-\d\d$/

/** Returns the published price of a text model; undefined if it is not in the table. */
export function knownPrice(model: string, baseURL: string): Price | undefined {
  const { hostname } = new URL(baseURL)
  const row = TABLE.find(([host, name]) => host === hostname && name === model.replace(DAY, ''))
  return row && { input: row[2], output: row[3] }
}
