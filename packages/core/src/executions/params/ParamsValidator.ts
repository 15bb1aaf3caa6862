/** Validates JSON against JSON Schema: params of executions, results of runs, answers to questions. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Path } from "./SecretParams.ts"
import type { AccountId } from "../../shared/Ids.ts"
import type { Json, JsonObject } from "../../shared/json/Json.ts"

/** One way in which a document breaks its rules. `message` never quotes names or values of the document. */
export const SchemaIssue = Schema.Struct({
  /** JSON Pointer to what is wrong, even if it is missing; "" is the whole document. At most 512 characters. */
  path: Schema.String,
  /** The broken keyword of JSON Schema, or the name of the limit. */
  keyword: Schema.String,
  message: Schema.String
})
export type SchemaIssue = typeof SchemaIssue.Type

/** The most issues that one error lists. */
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

/** What a value is to its caller, who may have sent several. */
const ValueKind = Schema.Literals(["params", "result", "answer", "default"])
type ValueKind = typeof ValueKind.Type

/** A value does not satisfy its schema. */
export class InvalidParams extends Schema.TaggedError<InvalidParams>()("InvalidParams", {
  issues: Schema.Array(SchemaIssue),
  what: Schema.optional(ValueKind)
}) {
  override get message() {
    const breaks =
      this.what === "params" ? "params do not satisfy their" : `${this.what ?? "value"} does not satisfy its`
    return `The ${breaks} schema: ${summary(this.issues)}`
  }
}

/** A document cannot serve as a schema. */
export class InvalidSchema extends Schema.TaggedError<InvalidSchema>()("InvalidSchema", {
  issues: Schema.Array(SchemaIssue),
  /** Which schema, where a request has several. */
  field: Schema.optional(Schema.String)
}) {
  override get message() {
    return `${this.field ?? "The schema"} cannot be used: ${summary(this.issues)}`
  }
}

/** Too much of the account already waits to be checked. Other accounts are not affected. */
export class TooManyChecks extends Schema.TaggedError<TooManyChecks>()("TooManyChecks", {
  limit: Schema.Int
}) {
  override get message() {
    return "Too many large schemas or values of this account wait to be checked: try again soon"
  }
}

/** A schema and the account it comes from: large ones take turns by account. */
export interface GivenSchema {
  readonly accountId: AccountId
  readonly schema: JsonObject
}

export interface GivenValue<A extends Json> extends GivenSchema {
  readonly key: string
  readonly what?: ValueKind
  readonly value: A
  readonly text?: string | undefined
}

export class ParamsValidator extends Context.Service<
  ParamsValidator,
  {
    /**
     * Refuses at publication what could not be served later: a document that is too
     * large or too deep, has too many parts, an unknown draft, a reference
     * to another document, a pattern that is not linear-time, or a root that accepts no
     * object. Answers what nothing checks, such as an unknown keyword or format.
     */
    checkSchema(given: GivenSchema): Effect.Effect<ReadonlyArray<SchemaIssue>, InvalidSchema | TooManyChecks>

    /** As `checkSchema`, for a schema whose values need not be objects. */
    checkValueSchema(given: GivenSchema): Effect.Effect<void, InvalidSchema | TooManyChecks>

    /**
     * Where the value has parts that its schema calls secret, by `writeOnly: true`, or that may be so; none for a
     * schema that calls nothing secret. `key` is as for `validate`.
     */
    secretPaths(options: {
      readonly key: string
      readonly schema: JsonObject
      readonly value: JsonObject
    }): ReadonlyArray<Path>

    /**
     * Answers the value with the schema's defaults filled in, and leaves the given
     * value untouched.
     *
     * - `what` says in the refusal which value it is about.
     * - `text` is the value as `JSON.stringify` writes it, if the caller has it.
     * - `key` stands for the schema in the adapter's cache: one key always comes with
     *   the same, checked schema.
     * - An unchecked schema that cannot be compiled is a defect.
     * - A value that takes too much time, memory or work is refused as invalid, without
     *   delaying others.
     * - So is one that grows to more than 2 MiB of JSON with its defaults, under the
     *   keyword `default`.
     */
    validate<A extends Json>(options: GivenValue<A>): Effect.Effect<A, InvalidParams | TooManyChecks>
  }
>()("@runhook/core/executions/params/ParamsValidator") {}
