/** Seals the secret params of an execution, and opens them for the work alone. */
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Execution } from "../Execution.ts"
import { reveal, type Secret } from "./SecretParams.ts"
import type { ExecutionId } from "../../shared/Ids.ts"
import { StoredJson, type StoredObject } from "../../shared/json/StoredJson.ts"
import { ServiceKeys } from "../../Settings.ts"
import { open, seal, type SealBroken } from "../../signing/SecretBox.ts"

/** What they are sealed for. */
export const secretParamsPurpose = "secret params"

type Sealed = Pick<Execution, "id" | "params" | "sealedParams">

export const makeParamSecrets = Effect.gen(function* () {
  const ring = yield* ServiceKeys
  const random = yield* SecureRandom

  const sealFor = (id: ExecutionId, secrets: ReadonlyArray<Secret>): Effect.Effect<string | null> =>
    secrets.length === 0
      ? Effect.succeed(null)
      : seal(ring, { purpose: secretParamsPurpose, id }, JSON.stringify(secrets)).pipe(
          Effect.provideService(SecureRandom, random)
        )

  const secretsOf = ({ id, sealedParams }: Sealed): Result.Result<ReadonlyArray<Secret>, SealBroken> =>
    sealedParams === null
      ? Result.succeed([])
      : Result.map(
          open(ring, { purpose: secretParamsPurpose, id }, sealedParams),
          (text): ReadonlyArray<Secret> => JSON.parse(text)
        )

  /** The params as the work gets them. What no key opens stays hidden: the work has to fail of it, and nothing else. */
  const paramsOf = (execution: Sealed): Effect.Effect<StoredObject> => {
    const { params, sealedParams } = execution
    if (sealedParams === null) return Effect.succeed(params)
    return Result.match(secretsOf(execution), {
      onFailure: (broken) => Effect.as(Effect.logError("Secret params not opened", broken), params),
      onSuccess: (secrets) => Effect.succeed(StoredJson.of(reveal(params.value, secrets)))
    })
  }

  return { paramsOf, secretsOf, sealFor }
})
