/** Checks of values against schemas of one account, for tests. */
import { AccountId } from "@runhook/core/shared/Ids"
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import { ParamsValidator } from "@runhook/core/executions/params/ParamsValidator"
import * as Effect from "effect/Effect"

export const accountId = AccountId.make("00000000-0000-7000-8000-000000000001")

export const draft07 = "http://json-schema.org/draft-07/schema#"

export const validate = Effect.fnUntraced(function* <A extends Json>(schema: JsonObject, value: A) {
  const validator = yield* ParamsValidator
  yield* Effect.orDie(validator.checkValueSchema({ accountId, schema }))
  return yield* validator
    .validate({ accountId, key: JSON.stringify(schema), schema, value })
    .pipe(Effect.catchTag("TooManyChecks", Effect.die))
})

/** What is wrong with the value, as "path keyword". */
export const breaches = (schema: JsonObject, value: Json) =>
  validate(schema, value).pipe(
    Effect.as([]),
    Effect.catchTag("InvalidParams", ({ issues }) =>
      Effect.succeed(issues.map(({ path, keyword }) => `${path} ${keyword}`))
    )
  )
