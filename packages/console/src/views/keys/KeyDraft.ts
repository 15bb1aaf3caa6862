/** The form of a key as typed, and what it stands for. Pure. */
import type { CreateKey, Key, KnownCapability } from "@runhook/sdk/admin"
import { capabilitiesOf, type CapabilityPreset, presetOf } from "./KeyWords.ts"

export const expiries = ["never", "30", "90", "date"] as const

export interface KeyDraft {
  readonly name: string
  /** Null: all. */
  readonly tasks: ReadonlySet<string> | null
  readonly agents: ReadonlySet<string> | null
  readonly preset: CapabilityPreset
  readonly chosen: ReadonlySet<KnownCapability>
  readonly expiry: (typeof expiries)[number]
  /** In the user's zone, as the input has it. */
  readonly day: string
  readonly maxLive: string
  readonly perSecond: string
  readonly burst: string
}

type KeySettings = Pick<
  Key,
  | "allowed_agent_ids"
  | "allowed_task_ids"
  | "capabilities"
  | "expires_at"
  | "max_live"
  | "name"
  | "rate_limit"
>

/** The form for a key, or for a new one. */
export const draftOf = (key?: KeySettings): KeyDraft => ({
  name: key?.name ?? "",
  tasks: idsOf(key?.allowed_task_ids),
  agents: idsOf(key?.allowed_agent_ids),
  ...presetOf(key?.capabilities ?? null),
  expiry: key?.expires_at ? "date" : "never",
  day: dayOf(key?.expires_at),
  maxLive: String(key?.max_live ?? ""),
  perSecond: String(key?.rate_limit?.per_second ?? ""),
  burst: String(key?.rate_limit?.burst ?? "")
})

/** What a picker has picked; null is all. */
export const idsOf = (ids: ReadonlyArray<string> | null | undefined): ReadonlySet<string> | null =>
  ids ? new Set(ids) : null

/** The request. The day that a key had keeps its time. */
export const bodyOf = (draft: KeyDraft, now: number, before?: KeySettings): CreateKey => ({
  name: draft.name.trim(),
  allowed_task_ids: draft.tasks && [...draft.tasks],
  allowed_agent_ids: draft.agents && [...draft.agents],
  capabilities: capabilitiesOf(draft.preset, draft.chosen),
  expires_at:
    before?.expires_at && draft.expiry === "date" && draft.day === dayOf(before.expires_at)
      ? before.expires_at
      : expiresAt(draft, now),
  max_live: draft.maxLive === "" ? null : Number(draft.maxLive),
  rate_limit:
    draft.perSecond === "" && draft.burst === ""
      ? null
      : { per_second: Number(draft.perSecond), burst: Number(draft.burst) }
})

/** The end of the chosen day, in the user's zone. */
const expiresAt = ({ day, expiry }: KeyDraft, now: number): string | null => {
  if (expiry === "never") return null
  return expiry === "date"
    ? new Date(`${day}T23:59:59`).toISOString()
    : new Date(now + Number(expiry) * 86_400_000).toISOString()
}

const dayOf = (at: string | null | undefined): string => {
  if (!at) return ""
  const date = new Date(at)
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-")
}
