/** Given to `node --import`: the clock of the process is an hour late for everything in it. */
const hour = 3_600_000

globalThis.Date = new Proxy(Date, {
  apply: (real) => new real(real.now() + hour).toString(),
  construct: (real, given, made) =>
    Reflect.construct(real, given.length === 0 ? [real.now() + hour] : given, made),
  get: (real, name) => (name === "now" ? () => real.now() + hour : Reflect.get(real, name))
})
