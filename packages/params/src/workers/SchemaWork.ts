/** The requests and answers of a worker: texts of JSON, which pass between threads at the least cost. */
import { textBytes } from "@runhook/core/shared/json/JsonBytes"
import type { SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import * as Result from "effect/Result"
import { type CompiledSchema, fullLimits } from "../CompiledSchema.ts"
import { exhausted } from "../Issues.ts"
import * as SchemaDocument from "../SchemaDocument.ts"

export type Work =
  | { readonly _tag: "Check"; readonly schema: string }
  | { readonly _tag: "Validate"; readonly key: string; readonly schema: string; readonly value: string }

export type Done =
  | {
      readonly _tag: "Checked"
      readonly acceptsObjects: boolean
      readonly warnings: ReadonlyArray<SchemaIssue>
    }
  /** The value with its defaults filled in. */
  | { readonly _tag: "Valid"; readonly value: string }
  | { readonly _tag: "Refused"; readonly issues: ReadonlyArray<SchemaIssue> }
  /** An unchecked schema that cannot be compiled. */
  | { readonly _tag: "Uncompilable" }

/**
 * The most bytes of JSON that a value may reach with its defaults. Values that are
 * checked without a thread have steps for half of that.
 */
export const filledBytesMax = 2 * 1024 * 1024

/** Compiled schemas that one worker keeps, the most recently used ones. */
const keptMax = 50

/** Does the work of one thread. */
export const makePerform = (): ((work: Work) => Done) => {
  const kept = new Map<string, CompiledSchema>()

  const compiledOf = (key: string, schema: string): CompiledSchema | undefined => {
    const compiled = kept.get(key) ?? SchemaDocument.compile(JSON.parse(schema))
    if (compiled === undefined) return undefined
    kept.delete(key)
    kept.set(key, compiled)
    for (const oldest of kept.keys()) if (kept.size > keptMax) kept.delete(oldest)
    return compiled
  }

  return (work) => {
    if (work._tag === "Check") {
      return Result.match(SchemaDocument.check(JSON.parse(work.schema)), {
        onFailure: ({ issues }): Done => ({ _tag: "Refused", issues }),
        onSuccess: ({ acceptsObjects, warnings }): Done => ({ _tag: "Checked", acceptsObjects, warnings })
      })
    }
    const compiled = compiledOf(work.key, work.schema)
    if (compiled === undefined) return { _tag: "Uncompilable" }
    const value = JSON.parse(work.value)
    const issues = compiled(value, fullLimits) ?? [exhausted]
    if (issues.length > 0) return { _tag: "Refused", issues }
    const filled = JSON.stringify(value)
    return textBytes(filled) > filledBytesMax
      ? { _tag: "Refused", issues: [overgrown] }
      : { _tag: "Valid", value: filled }
  }
}

const overgrown: SchemaIssue = {
  path: "",
  keyword: "default",
  message: `grows to more than ${filledBytesMax} bytes of JSON with the defaults of its schema`
}
