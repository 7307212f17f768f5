import { useQuery } from '@tanstack/react-query'

/**
 * A telephone number as people write it, in groups, and whether its country has such numbers. A national one needs its
 * country (alpha-2). The rules of all countries are loaded when the first number is shown.
 */
export function useNumber(text: string, country?: string) {
  const { data } = useQuery({
    queryKey: ['number', text, country],
    queryFn: async () => (await import('@voxscribe/contracts/phone-lines')).readNumber(text, country),
    enabled: text !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? { written: text, isValid: true }
}
