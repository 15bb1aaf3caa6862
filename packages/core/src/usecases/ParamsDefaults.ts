/** The params of claimed work as the work should see them: with the defaults of their schema filled in. */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { BoundedMap } from "../runtime/BoundedMap.ts"
import type { TaskVersionId } from "../domain/Ids.ts"
import { StoredJson } from "../domain/json/StoredJson.ts"
import { ParamsValidator } from "../ports/ParamsValidator.ts"
import type { ClaimedRun } from "../ports/RunStore.ts"

/** A claim tries for ten seconds to have its turn at a check, where a create is refused at once. */
const turns = { schedule: Schedule.spaced("200 millis"), times: 50 }

/** Versions of which one process remembers whether they have defaults. */
const versionsMax = 10_000

export const makeDefaults = Effect.gen(function* () {
  const validator = yield* ParamsValidator
  const known = new BoundedMap<TaskVersionId, boolean>(versionsMax)

  /** Whether anything may be filled in: the schema of a version never changes. It may say so of one that only names the word. */
  const hasDefaults = ({ id, paramsSchema }: ClaimedRun["version"]): boolean => {
    const found = known.get(id) ?? JSON.stringify(paramsSchema).includes('"default"')
    known.set(id, found)
    return found
  }

  return Effect.fnUntraced(function* (claimed: ClaimedRun) {
    const { id, paramsSchema } = claimed.version
    const { accountId, params } = claimed.run.execution
    if (!hasDefaults(claimed.version)) return { ...claimed, params }
    return yield* validator
      .validate({ accountId, key: id, schema: paramsSchema, value: params.value, text: params.text })
      .pipe(
        Effect.retry({ while: ({ _tag }) => _tag === "TooManyChecks", ...turns }),
        Effect.map((filled) => StoredJson.of(filled)),
        // They were valid when they were accepted; a claim must not fail on them now.
        Effect.orElseSucceed(() => params),
        Effect.map((filled) => ({ ...claimed, params: filled }))
      )
  })
})
