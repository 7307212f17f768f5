import {
  type QueryKey,
  skipToken,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'

/** A value that lasts while the app is open, on whichever page, but is never stored; and the function that sets it. */
export function useKept<T>(queryKey: QueryKey, options?: Pick<UseQueryOptions, 'gcTime' | 'meta'>) {
  const queries = useQueryClient()
  const { data = null } = useQuery<T | null>({
    queryKey,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    ...options,
  })
  return [data, (value: T | null) => void queries.setQueryData(queryKey, value)] as const
}
