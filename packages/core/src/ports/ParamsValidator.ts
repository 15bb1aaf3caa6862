/** Checks JSON against JSON Schema: params of executions, results of runs, answers to input requests. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AccountId } from "../domain/Ids.ts"
import type { Json, JsonObject } from "../domain/json/Json.ts"

/** One way in which a document breaks its rules. Names and values of the document are never quoted in `message`. */
export const SchemaIssue = Schema.Struct({
  /** JSON Pointer to what is wrong, also when it is missing; "" is the whole document. At most 512 characters. */
  path: Schema.String,
  /** The keyword of JSON Schema that is broken, or the name of the limit. */
  keyword: Schema.String,
  message: Schema.String
})
export type SchemaIssue = typeof SchemaIssue.Type

/** Most issues that one error lists. */
export const issuesMax = 50

const shownMax = 3

const summary = (issues: ReadonlyArray<SchemaIssue>): string => {
  const shown = issues
    .slice(0, shownMax)
    .map(({ path, message }) => `${path === "" ? "it" : path} ${message}`)
  return issues.length > shownMax
    ? `${shown.join("; ")}; and ${issues.length - shownMax} more`
    : shown.join("; ")
}

/** A value does not satisfy its schema. */
export class InvalidParams extends Schema.TaggedError<InvalidParams>()("InvalidParams", {
  issues: Schema.Array(SchemaIssue)
}) {
  override get message() {
    return `The value does not satisfy its schema: ${summary(this.issues)}`
  }
}

/** A document cannot serve as a schema. */
export class InvalidSchema extends Schema.TaggedError<InvalidSchema>()("InvalidSchema", {
  issues: Schema.Array(SchemaIssue)
}) {
  override get message() {
    return `The schema cannot be used: ${summary(this.issues)}`
  }
}

/** So much of the account waits to be checked that no more may wait. That of other accounts goes on. */
export class TooManyChecks extends Schema.TaggedError<TooManyChecks>()("TooManyChecks", {
  limit: Schema.Int
}) {
  override get message() {
    return "Too many large schemas or values of this account wait to be checked: try again soon"
  }
}

/** A schema, and the account that brings it: large ones take turns by account. */
export interface GivenSchema {
  readonly accountId: AccountId
  readonly schema: JsonObject
}

export class ParamsValidator extends Context.Service<
  ParamsValidator,
  {
    /**
     * Refuses at publication what could not be served later: a document that is too large or too
     * deep, has too many parts, an unknown draft or keyword, a reference out of the document, a
     * pattern that is not linear-time, and a root that accepts no object.
     */
    checkSchema(given: GivenSchema): Effect.Effect<void, InvalidSchema | TooManyChecks>

    /** As `checkSchema`, for a schema whose values need not be objects. */
    checkValueSchema(given: GivenSchema): Effect.Effect<void, InvalidSchema | TooManyChecks>

    /**
     * Answers the value with the schema's defaults filled in, and leaves the given one untouched.
     * `text` is the value as `JSON.stringify` writes it, for whoever has that at hand.
     * `key` stands for the schema in the adapter's cache: one key always comes with the same,
     * checked schema. An unchecked schema that cannot be compiled is a defect. What takes too much
     * time, memory or work is refused as invalid, and holds up nobody else meanwhile. So is what
     * grows to more than 2 MiB of JSON with its defaults, under the keyword `default`.
     */
    validate<A extends Json>(
      options: GivenSchema & { readonly key: string; readonly value: A; readonly text?: string | undefined }
    ): Effect.Effect<A, InvalidParams | TooManyChecks>
  }
>()("@runhook/core/ports/ParamsValidator") {}
