/** Fills the defaults of their schema into the params of claimed work. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { TaskVersionId } from "../../shared/Ids.ts"
import { StoredJson, type StoredObject } from "../../shared/json/StoredJson.ts"
import { ParamsValidator } from "./ParamsValidator.ts"
import type { ClaimedRun } from "../../runs/RunStore.ts"
import { BoundedMap } from "../../engine/BoundedMap.ts"
import { makeParamSecrets } from "./ParamSecrets.ts"

/** Work to do, with the params as the handler should see them: with their secrets, and defaults filled in. */
export interface Claim extends ClaimedRun {
  readonly params: StoredObject
}

/** A claim waits up to ten seconds for its turn at a check; a create is refused at once. */
const turns = { schedule: Schedule.spaced("200 millis"), times: 50 }

/** Versions of which one process remembers whether they have defaults. */
const versionsMax = 10_000

export const makeDefaults = Effect.gen(function* () {
  const validator = yield* ParamsValidator
  const secrets = yield* makeParamSecrets
  const known = new BoundedMap<TaskVersionId, boolean>(versionsMax)

  /**
   * Whether anything may be filled in; the schema of a version never changes. It may
   * also say yes to a schema that merely contains the word.
   */
  const hasDefaults = ({ id, paramsSchema }: ClaimedRun["version"]): boolean => {
    const found = known.get(id) ?? JSON.stringify(paramsSchema).includes('"default"')
    known.set(id, found)
    return found
  }

  return Effect.fnUntraced(function* (claimed: ClaimedRun) {
    const { id, paramsSchema } = claimed.version
    const { accountId } = claimed.run.execution
    const params = yield* secrets.paramsOf(claimed.run.execution)
    if (!hasDefaults(claimed.version)) return { ...claimed, params }
    return yield* validator
      .validate({ accountId, key: id, schema: paramsSchema, value: params.value, text: params.text })
      .pipe(
        Effect.retry({ while: ({ _tag }) => _tag === "TooManyChecks", ...turns }),
        Effect.map((filled) => StoredJson.of(filled)),
        // The params were valid when they were accepted; a claim must not fail on them now.
        Effect.orElseSucceed(() => params),
        Effect.map((filled) => ({ ...claimed, params: filled }))
      )
  })
})
