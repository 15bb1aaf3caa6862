/**
 * Loaded into a process before anything else: sets its clock off by `TEST_CLOCK_AHEAD_MS`, like that of a machine
 * without time synchronization.
 */
const machineNow = Date.now
const aheadMillis = Number(process.env["TEST_CLOCK_AHEAD_MS"])

Date.now = () => machineNow() + aheadMillis

globalThis.Date = new Proxy(Date, {
  construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [Date.now()] : given, made)
})
