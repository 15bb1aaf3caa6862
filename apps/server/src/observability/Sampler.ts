/** Which spans are recorded, by OpenTelemetry's names for the rules. */
import type * as Tracer from "effect/Tracer"
import type { Sampler } from "../settings/TelemetrySettings.ts"

/** The share of all traces below this one, by the last digits of its id: every service decides alike. */
const placeOf = (traceId: string): number => Number.parseInt(traceId.slice(-8), 16) / 0x1_0000_0000

/** Whether a span is recorded; undefined if it is recorded as the one above it is. */
export const samplerOf =
  (sampler: Sampler, share: number, random: () => number) =>
  (parent: Tracer.AnySpan | undefined): boolean | undefined => {
    const isOfCaller = parent?._tag === "ExternalSpan" && !sampler.startsWith("parentbased_")
    if (parent !== undefined && !isOfCaller) return undefined
    switch (sampler) {
      case "always_on":
      case "parentbased_always_on":
        return true
      case "always_off":
      case "parentbased_always_off":
        return false
      case "traceidratio":
      case "parentbased_traceidratio":
        return (parent === undefined ? random() : placeOf(parent.traceId)) < share
    }
  }
