/** Audit events of alert targets. Of a URL only the origin is shown: anyone who knows the rest of it can post to the chat. */
import type { AlertTarget } from "../alerts/AlertTarget.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import { about, changed, event, textOf } from "./AuditedChange.ts"
import type { AuditEvent } from "./AuditEntry.ts"

/** Undefined for a target of the operator, who has no audit log. */
export const alertTargetCreated = (target: AlertTarget): AuditEvent | undefined => {
  const thing = ofTarget(target)
  return thing && event(thing, "alert_target.created", { channel: target.channel, ...stateOf(target) })
}

export const alertTargetUpdated = (before: AlertTarget, after: AlertTarget): AuditEvent | undefined => {
  const thing = ofTarget(after)
  return thing && changed(thing, "alert_target.updated", stateOf(before), stateOf(after))
}

export const alertTargetRemoved = (target: AlertTarget): AuditEvent | undefined => {
  const thing = ofTarget(target)
  return thing && event(thing, "alert_target.removed", null, { channel: target.channel, ...stateOf(target) })
}

/** The address as everybody may see it. */
export const shownAddress = ({ address, channel }: Pick<AlertTarget, "address" | "channel">): string =>
  channel === "email" ? address : address.replace(/^([^:]+:\/\/[^/?#]+).*$/s, "$1/masked")

const ofTarget = (target: AlertTarget) =>
  target.accountId === null
    ? undefined
    : about(target.accountId, { kind: "alert_target", id: target.id, name: shownAddress(target) })

const stateOf = ({ kinds, pausedUntil }: AlertTarget): JsonObject => ({
  kinds,
  paused_until: textOf(pausedUntil)
})
