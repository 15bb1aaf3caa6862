/** The parts of attempts, to the scale of the slowest. */

/** A phase of an attempt, as a share of the slowest attempt shown. */
export interface Phase {
  readonly name: PhaseName
  readonly from: number
  readonly width: number
}

export type PhaseName = "dns" | "connect" | "tls" | "headers" | "body"

/** In the order in which they happen. */
export const phaseNames: ReadonlyArray<PhaseName> = ["dns", "connect", "tls", "headers", "body"]

export const phaseWords: { readonly [Name in PhaseName]: string } = {
  dns: "find address",
  connect: "connect",
  tls: "TLS",
  headers: "send and wait",
  body: "read body"
}

/** The least width of a phase, so that a very short one is visible. */
const widthMin = 0.01

export const phasesOf = (
  timings: { readonly [Name in PhaseName]: number | null },
  slowestMs: number
): ReadonlyArray<Phase> => {
  const whole = Math.max(1, slowestMs)
  let from = 0
  return phaseNames.flatMap((name) => {
    const ms = timings[name]
    if (ms === null) return []
    const width = Math.min(Math.max(widthMin, ms / whole), 1 - Math.min(from, 1 - widthMin))
    const phase = { name, from: Math.min(from, 1 - widthMin), width }
    from += width
    return [phase]
  })
}
