/** Where a new execution comes from: what its request does not say by itself. */
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Schema from "effect/Schema"
import { CurrentActor } from "../../audit/Actor.ts"
import { type CreateExecution, requestToRerun, type RerunVersion } from "./CreateExecution.ts"
import type { Execution } from "../Execution.ts"
import { hiddenIn, type Path, reveal, type Secret, withGivers } from "../params/SecretParams.ts"
import { ApiKeyId, type ExecutionId } from "../../shared/Ids.ts"
import type { JsonObject } from "../../shared/json/Json.ts"
import { InvalidField } from "../../shared/Refusals.ts"
import { Pepper } from "../../keys/sealing/Pepper.ts"
import { createFingerprint, keyedFingerprint, rerunFingerprint } from "../../signing/RequestFingerprint.ts"
import { makeParamSecrets } from "../params/ParamSecrets.ts"

export interface Origin {
  /** What distinguishes a create under its idempotency key, computed only if there is one. */
  readonly fingerprint: () => string
  /** The execution that it reruns. */
  readonly rerunOf: ExecutionId | null
  /** Where the params have secrets, whatever their schema says. */
  readonly secretAt: ReadonlyArray<Path>
  /** Those that come from the original. */
  readonly filledIn: ReadonlyArray<Secret>
}

export const makeOrigins = Effect.gen(function* () {
  const pepper = yield* Pepper
  const secrets = yield* makeParamSecrets

  /** A reader of the database cannot try which params it belongs to. */
  const keyed = (fingerprint: string) => keyedFingerprint(pepper, fingerprint)

  const ofCreate = (request: CreateExecution): Origin => ({
    fingerprint: () => keyed(createFingerprint(request)),
    rerunOf: null,
    secretAt: [],
    filledIn: []
  })

  /**
   * What was secret once is so under any other schema. The other params say where a secret goes: so a key that did not
   * give it has it filled in only beside all that the original has.
   */
  const ofRerun = Effect.fnUntraced(function* (
    original: Execution,
    { params, version }: { readonly params: JsonObject | undefined; readonly version: RerunVersion }
  ) {
    const kept = yield* Effect.fromResult(secrets.secretsOf(original)).pipe(
      Effect.mapError(() => new InvalidField({ path: ["params"], rule: lostRule }))
    )
    const filledIn = params === undefined ? kept : hiddenIn(params, kept)
    const actor = yield* CurrentActor
    const foreign = filledIn.find(([, , givenBy]) => actor.kind === "key" && givenBy !== actor.id)
    if (foreign !== undefined && params !== undefined && !Equal.equals(params, original.params.value))
      return yield* new InvalidField({ path: ["params", ...foreign[0].map(String)], rule: foreignRule })
    const { id: rerunOf } = original
    const origin: Origin = {
      fingerprint: () => keyed(rerunFingerprint({ rerunOf, rerunVersion: version, params })),
      rerunOf,
      secretAt: kept.map(([path]) => path),
      filledIn
    }
    const whole = reveal(params ?? original.params.value, filledIn)
    return { origin, request: requestToRerun(original, { params: whole, version }) }
  })

  /** The secrets of new work, sealed with who gave them. */
  const sealFor = (id: ExecutionId, found: ReadonlyArray<Secret>, { filledIn }: Pick<Origin, "filledIn">) =>
    Effect.flatMap(CurrentActor, (actor) => {
      const giver = actor.kind === "key" && Schema.is(ApiKeyId)(actor.id) ? actor.id : null
      return secrets.sealFor(id, withGivers(found, { filledIn, giver }))
    })

  return { ofCreate, ofRerun, sealFor }
})

const foreignRule =
  "is a secret that another key gave: give it anew, or leave all other params as the original has them"

const lostRule = "are partly secret, and no configured secret key opens them: give others"
