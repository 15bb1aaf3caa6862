/** Which zone the page shows times in: the reader's, or UTC for all of it. */
import { signal } from "@preact/signals"
import { remembered, remember } from "../data/Remembered.ts"

export type Zone = "local" | "utc"

export const zone = signal<Zone>(remembered("zone") === "utc" ? "utc" : "local")

export const switchZone = (): void => {
  zone.value = zone.value === "utc" ? "local" : "utc"
  remember("zone", zone.value)
}

/** The name of the zone, as `Europe/Berlin`. */
export const zoneName = (of: Zone): string =>
  of === "utc" ? "UTC" : new Intl.DateTimeFormat().resolvedOptions().timeZone
