/**
 * One timer for all deadlines: nearly all statements are answered long before
 * theirs, and a timer for each would cost more than the statement.
 */

interface Alarm {
  /** In milliseconds of `performance.now`. */
  readonly at: number
  readonly act: () => void
}

const alarms = new Set<Alarm>()

/** When the timer goes off: not later than the first alarm. */
let ringsAt = Infinity
let timer: NodeJS.Timeout | undefined

/** Calls at that moment of `performance.now`, unless it is cancelled. Data that has arrived by then is read first. */
export const callAt = (at: number, act: () => void): (() => void) => {
  const alarm = { at, act }
  alarms.add(alarm)
  if (at < ringsAt) wind(at)
  else timer?.ref()
  return () => {
    alarms.delete(alarm)
    // It stays armed for later alarms, and keeps no process alive for them.
    if (alarms.size === 0) timer?.unref()
  }
}

const wind = (at: number): void => {
  clearTimeout(timer)
  ringsAt = at
  timer = setTimeout(() => setImmediate(ring), Math.max(0, at - performance.now()))
}

const ring = (): void => {
  ringsAt = Infinity
  timer = undefined
  const now = performance.now()
  let next = Infinity
  for (const alarm of alarms) {
    if (alarm.at > now) next = Math.min(next, alarm.at)
    else {
      alarms.delete(alarm)
      alarm.act()
    }
  }
  // The callback may have set another alarm, which is already armed.
  if (next < ringsAt) wind(next)
}
