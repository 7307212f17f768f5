import { knownPrice } from './known-prices.ts'

const OPENAI = 'https://api.openai.com/v1'

test.each([
  ['gpt-5-mini', OPENAI, { input: 0.25, output: 2 }],
  ['gpt-5-mini-2025-08-07', OPENAI, { input: 0.25, output: 2 }],
  ['mistral-small-latest', 'https://api.mistral.ai/v1', { input: 0.15, output: 0.6 }],
  ['gpt-5-mini', 'http://vllm:8000/v1', undefined],
  ['gpt-99', OPENAI, undefined],
])('when the text model is %s at %s, then its published price is %j', (model, url, price) => {
  expect(knownPrice(model, url)).toEqual(price)
})
