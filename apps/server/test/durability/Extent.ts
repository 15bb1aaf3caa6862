/**
 * How much is tried. By default what is over within seconds; with
 * `RUNHOOK_FAULTS=all` everything, longer and more often; with any other text
 * the faults that have it in their names.
 */
const asked = process.env["RUNHOOK_FAULTS"] ?? ""

export const isWhole = asked === "all"

export const isWanted = ({ name }: { readonly name: string }): boolean => isWhole || name.includes(asked)

/** How often each fault happens to one load. */
export const tries = Number(process.env["RUNHOOK_FAULT_TRIES"] ?? (isWhole ? 3 : 1))

/** What decides the load. Another seed is another load. */
export const seed = Number(process.env["RUNHOOK_SEED"] ?? 1)

/** Milliseconds of something that lasts this many seconds in a short run, and that many in a whole one. */
export const lasting = (seconds: number, whole: number): number => (isWhole ? whole : seconds) * 1_000
