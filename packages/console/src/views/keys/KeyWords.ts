/** States, scopes and capabilities of a key in words. Pure. */
import type { Key, KnownCapability } from "@runhook/sdk/admin"
import { type Named, nameIn } from "../../format/Choices.ts"

/** A key that expires within so many milliseconds is shown as expiring. */
const soonMs = 7 * 86_400_000

export type KeyState = "active" | "expiring" | "expired" | "revoked"

export const stateOf = (
  { expires_at, revoked_at }: Pick<Key, "expires_at" | "revoked_at">,
  now: number
): KeyState => {
  if (revoked_at !== null) return "revoked"
  if (expires_at === null) return "active"
  const leftMs = Date.parse(expires_at) - now
  if (leftMs <= 0) return "expired"
  return leftMs < soonMs ? "expiring" : "active"
}

/** `All`, `None`, the name of the only one, or `3 tasks`. */
export const scopeWords = (
  ids: ReadonlyArray<string> | null,
  { known, many }: { readonly known: ReadonlyArray<Named>; readonly many: string }
): string => {
  if (ids === null) return "All"
  const [only] = ids
  if (only === undefined) return "None"
  return ids.length === 1 ? (nameIn(known, only) ?? `1 of the ${many}`) : `${ids.length} ${many}`
}

/** All capabilities, in the order of the page. */
export const capabilityWords: Readonly<Record<KnownCapability, string>> = {
  "executions:write": "Queue, cancel, release and answer executions",
  "executions:read": "Read executions",
  "artifacts:read": "Download files",
  "catalog:read": "Read tasks and agents",
  "webhooks:read": "Read callbacks",
  "webhooks:replay": "Replay callbacks",
  "webhooks:test": "Send test webhooks",
  "alerts:manage": "See alerts and choose who is told",
  "endpoints:manage": "Keep standing endpoints and fetch their messages"
}

const isKnown = (capability: string): capability is KnownCapability =>
  Object.hasOwn(capabilityWords, capability)

export const capabilities: ReadonlyArray<KnownCapability> = Object.keys(capabilityWords).filter(isKnown)

const readOnly = capabilities.filter((capability) => capability.endsWith(":read"))

export type CapabilityPreset = "all" | "read" | "chosen"

/** The capabilities of a preset, in the form of the API. */
export const capabilitiesOf = (
  preset: CapabilityPreset,
  chosen: ReadonlySet<KnownCapability>
): ReadonlyArray<KnownCapability> | null => {
  if (preset === "all") return null
  return preset === "read" ? readOnly : capabilities.filter((each) => chosen.has(each))
}

/** The choice that stands for the capabilities of a key. */
export const presetOf = (of: Key["capabilities"]) => ({
  preset: of === null ? ("all" as const) : isReadOnly(of) ? ("read" as const) : ("chosen" as const),
  chosen: new Set(of?.filter(isKnown))
})

const isReadOnly = (of: ReadonlyArray<string>): boolean =>
  of.length === readOnly.length && readOnly.every((each) => of.includes(each))

/** `Full access`, `Read only`, or the single capabilities. */
export const mayWords = (of: Key["capabilities"]): string => {
  if (of === null) return "Full access"
  if (of.length === 0) return "Nothing"
  if (isReadOnly(of)) return "Read only"
  return capabilities
    .filter((each) => of.includes(each))
    .map((each) => capabilityWords[each])
    .join("; ")
}
