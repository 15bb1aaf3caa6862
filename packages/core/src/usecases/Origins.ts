/** Where a new execution comes from: what its request does not say by itself. */
import * as Effect from "effect/Effect"
import {
  type CreateExecution,
  requestToRerun,
  type RerunVersion
} from "../domain/execution/CreateExecution.ts"
import type { Execution } from "../domain/execution/Execution.ts"
import { fillIn, type Path, reveal } from "../domain/execution/SecretParams.ts"
import type { ExecutionId } from "../domain/Ids.ts"
import type { JsonObject } from "../domain/json/Json.ts"
import { InvalidField } from "../domain/Refusals.ts"
import { Pepper } from "../runtime/Pepper.ts"
import { createFingerprint, keyedFingerprint, rerunFingerprint } from "../signing/RequestFingerprint.ts"
import { makeParamSecrets } from "./ParamSecrets.ts"

export interface Origin {
  /** What distinguishes a create under its idempotency key, computed only if there is one. */
  readonly fingerprint: () => string
  /** The execution that it reruns. */
  readonly rerunOf: ExecutionId | null
  /** Where the params have secrets, whatever their schema says. */
  readonly secretAt: ReadonlyArray<Path>
}

export const makeOrigins = Effect.gen(function* () {
  const pepper = yield* Pepper
  const secrets = yield* makeParamSecrets

  /** A reader of the database cannot try which params it belongs to. */
  const keyed = (fingerprint: string) => keyedFingerprint(pepper, fingerprint)

  const ofCreate = (request: CreateExecution): Origin => ({
    fingerprint: () => keyed(createFingerprint(request)),
    rerunOf: null,
    secretAt: []
  })

  /** What was secret once is so under any other schema. */
  const ofRerun = Effect.fnUntraced(function* (
    original: Execution,
    { params, version }: { readonly params: JsonObject | undefined; readonly version: RerunVersion }
  ) {
    const kept = yield* Effect.fromResult(secrets.secretsOf(original)).pipe(
      Effect.mapError(() => new InvalidField({ path: ["params"], rule: lostRule }))
    )
    const { id: rerunOf } = original
    const origin: Origin = {
      fingerprint: () => keyed(rerunFingerprint({ rerunOf, rerunVersion: version, params })),
      rerunOf,
      secretAt: kept.map(([path]) => path)
    }
    const whole = params === undefined ? reveal(original.params.value, kept) : fillIn(params, kept)
    return { origin, request: requestToRerun(original, { params: whole, version }) }
  })

  return { ofCreate, ofRerun, sealFor: secrets.sealFor }
})

const lostRule = "are partly secret, and no configured secret key opens them: give others"
