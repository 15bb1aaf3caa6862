/**
 * Checks that completed work has the result that its task version promises, while
 * its runner can still correct it.
 */
import * as Effect from "effect/Effect"
import type { TaskVersionId } from "../shared/Ids.ts"
import type { Json, JsonObject } from "../shared/json/Json.ts"
import { sizeRule } from "../shared/json/JsonBytes.ts"
import type { StoredObject } from "../shared/json/StoredJson.ts"
import { InvalidField } from "../shared/Refusals.ts"
import { finish } from "./EndMoves.ts"
import { ParamsValidator } from "../executions/params/ParamsValidator.ts"
import { type Ending, RunStore } from "./RunStore.ts"
import { TaskStore } from "../catalog/TaskStore.ts"
import { BoundedMap } from "../engine/BoundedMap.ts"
import { type Fixed, KnownWork } from "./claim/KnownWork.ts"

/** Versions whose result schemas, of at most 64 KiB each, one process remembers. */
const versionsMax = 1_000

export const makeResultChecks = Effect.gen(function* () {
  const known = yield* KnownWork
  const store = yield* RunStore
  const tasks = yield* TaskStore
  const validator = yield* ParamsValidator
  /** A version's promise never changes. */
  const promises = new BoundedMap<TaskVersionId, JsonObject | null>(versionsMax)

  const promiseOf = Effect.fnUntraced(function* ({ accountId, taskVersionId: versionId }: Fixed) {
    const remembered = promises.get(versionId)
    if (remembered !== undefined) return remembered
    const { version } = yield* tasks.resolveVersion({ accountId, versionId }).pipe(Effect.orDie)
    promises.set(versionId, version.resultSchema)
    return version.resultSchema
  })

  const checkResult = Effect.fnUntraced(function* (work: Fixed, result: StoredObject | null) {
    const rule = sizeRule(result?.bytes ?? 0)
    if (rule !== undefined) return yield* new InvalidField({ path: ["result"], rule })
    const schema = yield* promiseOf(work)
    if (schema === null) return
    const { accountId, taskVersionId } = work
    yield* validator.validate<Json>({
      accountId,
      key: `${taskVersionId}#result`,
      what: "result",
      schema,
      value: result?.value ?? null,
      text: result?.text
    })
  })

  /** The execution, if the ending would change it; fails if something prevents the ending. */
  const judged = Effect.fnUntraced(function* (ending: Ending) {
    const run = yield* store.get(ending)
    const { changed } = yield* Effect.fromResult(finish(run, ending))
    return changed ? run.execution : undefined
  })

  /**
   * Refuses a result that does not match its schema. A lost lease, or an equal earlier report, takes precedence.
   * Unknown work is looked up first. Known work belonged to its runner a moment ago, so it is looked up only when its
   * result is about to be refused.
   */
  return Effect.fnUntraced(function* (ending: Ending) {
    const { outcome } = ending
    if (outcome._tag !== "Completed") return
    const given = yield* known.find(ending)
    const work = given ?? (yield* judged(ending))
    if (work === undefined) return
    yield* checkResult(work, outcome.result).pipe(
      Effect.catch((refusal) =>
        Effect.flatMap(judged(ending), (unended) =>
          unended === undefined ? Effect.void : Effect.fail(refusal)
        )
      )
    )
  })
})
