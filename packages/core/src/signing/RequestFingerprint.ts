/**
 * Tells a repeat of a request from another request under the same name, also
 * across an update: a fingerprint is of what was said. A field that is null,
 * or as it is when nothing is said of it, adds nothing; so one that the service
 * learns later changes no fingerprint of a request without it, and processes of
 * two versions agree.
 */
import type { CreateExecution, RerunVersion } from "../domain/execution/CreateExecution.ts"
import type { Outcome } from "../domain/run/EndMoves.ts"
import type { ExecutionId } from "../domain/Ids.ts"
import type { JsonObject } from "../domain/json/Json.ts"
import { canonicalJson } from "../domain/json/JsonText.ts"
import { fingerprint } from "./Fingerprint.ts"

/** Names the rule. It rises when a request that is sent again after an update would have another fingerprint. */
const version = "1"

/** Of a request to queue an execution, made under an idempotency key. */
export const createFingerprint = (request: CreateExecution): string =>
  ofWhatWasSaid(request, { params: {}, metadata: {}, priority: 0, isHeld: false })

/** Of a request to run an execution again, likewise. It is of what was said, since what the execution had may be another's too. */
export const rerunFingerprint = (request: {
  readonly rerunOf: ExecutionId
  readonly rerunVersion: RerunVersion
  readonly params: JsonObject | undefined
}): string => ofWhatWasSaid(request, {})

/** Of the outcome that a runner reports of an attempt. */
export const outcomeFingerprint = (outcome: Outcome): string => ofWhatWasSaid(outcome, { isRetryable: false })

const ofWhatWasSaid = (request: object, unsaid: JsonObject): string => {
  const fields: JsonObject = JSON.parse(JSON.stringify(request))
  const said = Object.entries(fields).filter(
    ([name, value]) => canonicalJson(value) !== canonicalJson(unsaid[name] ?? null)
  )
  return `${version}:${fingerprint(Object.fromEntries(said))}`
}
