/** Alerts and targets of tests. */
import { type Alert, AlertKind } from "@runhook/core/alerts/Alert"
import { type AlertTarget, newTarget } from "@runhook/core/alerts/AlertTarget"
import { type AccountId, AlertTargetId } from "@runhook/core/shared/Ids"
import { AlertStore } from "@runhook/core/alerts/AlertStore"
import * as Effect from "effect/Effect"
import { idAt, plenty, second } from "../Fixtures.ts"

/** A target that is not stored yet; the operator's, unless told otherwise. */
export const makeNewTarget = Effect.fnUntraced(function* (fields: Partial<AlertTarget> = {}) {
  const target = newTarget({
    id: yield* idAt(AlertTargetId, second(0)),
    accountId: null,
    channel: "webhook",
    address: "https://alerts.example/secret/hook?token=secret",
    kinds: AlertKind.literals,
    pausedUntil: null,
    ciphertext: "sealed",
    createdAt: second(0)
  })
  return { ...target, ...fields }
})

export const makeTarget = Effect.fnUntraced(function* (fields: Partial<AlertTarget> = {}) {
  const target = yield* makeNewTarget(fields)
  yield* AlertStore.use((store) => store.addTarget(target, { limit: plenty }))
  return target
})

/** An alert that opened in the first second. */
export const makeAlert = (accountId: AccountId, fields: Partial<Alert> = {}): Alert => ({
  accountId,
  kind: "no_runner",
  subject: "agent-1",
  name: "Clerk",
  count: 3,
  since: second(-300),
  seenAt: second(0),
  missedAt: null,
  openedAt: second(0),
  closedAt: null,
  ...fields
})
