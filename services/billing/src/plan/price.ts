/** The price of the paid plan: given by a setting, or looked up (and made, if need be) at Stripe and remembered. */
export function createPriceSource(given: string | undefined, ensure: () => Promise<string>) {
  let known = given
  return {
    async id(): Promise<string> {
      known ??= await ensure()
      return known
    },
  }
}
export type PriceSource = ReturnType<typeof createPriceSource>
