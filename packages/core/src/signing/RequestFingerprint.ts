/**
 * Distinguishes a duplicate from another request under the same idempotency key,
 * also across an update. A fingerprint covers what was sent: a field that is null,
 * or has its default, adds nothing. So a field that the service learns later
 * changes no fingerprint of a request without it, and processes of two versions
 * agree.
 */
import { createHmac, type KeyObject } from "node:crypto"
import type { CreateExecution, RerunVersion } from "../executions/create/CreateExecution.ts"
import type { ExecutionId } from "../shared/Ids.ts"
import type { JsonObject } from "../shared/json/Json.ts"
import { canonicalJson } from "../shared/json/JsonText.ts"
import type { Outcome } from "../runs/EndMoves.ts"
import { fingerprint } from "./Fingerprint.ts"

/**
 * Names the rule. It rises when a request that is repeated after an update would get
 * another fingerprint: what was stored under the old one counts as equal then.
 */
const version = "1"

/** Of a create under an idempotency key. */
export const createFingerprint = (request: CreateExecution): string =>
  ofWhatWasSaid(request, { params: {}, metadata: {}, priority: 0, isHeld: false })

/** The fingerprint of a rerun. It includes the id of the execution, since two executions may have equal requests. */
export const rerunFingerprint = (request: {
  readonly rerunOf: ExecutionId
  readonly rerunVersion: RerunVersion
  readonly params: JsonObject | undefined
}): string => ofWhatWasSaid(request, {})

/** The same in a form that tells nothing to those who do not know the pepper: a request may hold a secret of few letters. */
export const keyedFingerprint = (pepper: KeyObject, plain: string): string =>
  `${version}:${createHmac("sha256", pepper).update(plain).digest("hex")}`

/** Of the outcome that a runner reports of an attempt. */
export const outcomeFingerprint = (outcome: Outcome): string => ofWhatWasSaid(outcome, { isRetryable: false })

const ofWhatWasSaid = (request: object, unsaid: JsonObject): string => {
  const fields: JsonObject = JSON.parse(JSON.stringify(request))
  const said = Object.entries(fields).filter(([name, value]) => {
    const other = unsaid[name]
    return other === undefined ? value !== null : canonicalJson(value) !== canonicalJson(other)
  })
  return `${version}:${fingerprint(Object.fromEntries(said))}`
}
