/** The time zone of the page: the user's, or UTC. */
import { remembered, remember } from "../data/Preferences.ts"
import { Followed } from "../data/Followed.ts"

export type Zone = "local" | "utc"

export const zone = new Followed<Zone>(remembered("zone") === "utc" ? "utc" : "local")

export const switchZone = (): void => {
  zone.value = zone.value === "utc" ? "local" : "utc"
  remember("zone", zone.value)
}

/** The name of the zone, such as `Europe/Berlin`. */
export const zoneName = (of: Zone): string =>
  of === "utc" ? "UTC" : new Intl.DateTimeFormat().resolvedOptions().timeZone
