import { queryOptions } from '@tanstack/react-query'
import { call } from '../session/client.ts'

/** A person's forms of texts, and examples to begin with. */
export const formsQuery = queryOptions({
  queryKey: ['forms'],
  queryFn: async ({ signal }) => (await call('forms', { signal })).data,
})
