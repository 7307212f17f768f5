// Preloaded into a service (`--import`): sets its clock CLOCK_SHIFT_MS ahead of the machine's.
const shift = Number(process.env.CLOCK_SHIFT_MS)
const real = Date

globalThis.Date = new Proxy(real, {
  construct: (target, given, as) =>
    Reflect.construct(target, given.length ? given : [real.now() + shift], as),
  apply: () => new real(real.now() + shift).toString(),
  get: (target, name) => (name === 'now' ? () => real.now() + shift : Reflect.get(target, name)),
})
