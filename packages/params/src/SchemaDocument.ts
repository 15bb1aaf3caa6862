/** A document on its way to a compiled schema, with every reason why it may not get there. */
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { InvalidSchema, issuesMax, type SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { compile as compileServed, type CompiledSchema, type ServedDocument } from "./CompiledSchema.ts"
import * as DefaultRules from "./DefaultRules.ts"
import { type Dialect, dialectOf } from "./Dialect.ts"
import { hasInheritedDefaults } from "./InheritedNames.ts"
import { shortened } from "./Issues.ts"
import { breachOf } from "./JsonTree.ts"
import * as Metaschema from "./Metaschema.ts"
import * as References from "./References.ts"
import { acceptsObjects, findLoop, issuesOf } from "./SchemaRules.ts"
import { nodesOf, type SchemaNode } from "./SchemaTree.ts"
import { warningsOf } from "./SchemaWarnings.ts"
import { servedSchema } from "./ServedSchema.ts"

/** The largest document, in bytes of its JSON in UTF-8. */
export const schemaBytesMax = 65_536

/** The most levels of objects and arrays in a document. */
export const schemaDepthMax = 32

const refuse = (issues: ReadonlyArray<SchemaIssue>) =>
  Result.fail(new InvalidSchema({ issues: issues.slice(0, issuesMax).map(shortened) }))

const refuseWhole = (keyword: string, message: string) => refuse([{ path: "", keyword, message }])

const served = (
  dialect: Dialect,
  document: JsonObject,
  nodes: ReadonlyArray<SchemaNode>
): ServedDocument => ({
  dialect,
  served: servedSchema(dialect, document, References.resolve(nodes).references),
  hasInheritedDefaults: hasInheritedDefaults(nodes)
})

/**
 * Compiles a published document, without the checks of its publication. Succeeds
 * for every document that `check` accepts.
 */
export const compile = (document: JsonObject): CompiledSchema | undefined => {
  const dialect = dialectOf(document)
  return dialect && compileServed(served(dialect, document, nodesOf(dialect, document)))
}

/** The JSON of a document that is neither too deep nor too large. */
export const measure = (document: JsonObject): Result.Result<string, InvalidSchema> => {
  // Depth comes first: everything after it recurses.
  const breach = breachOf(document, schemaDepthMax)
  if (breach !== undefined) return refuse([breach])
  const text = JSON.stringify(document)
  return new TextEncoder().encode(text).length > schemaBytesMax
    ? refuseWhole("size", `is larger than ${schemaBytesMax} bytes`)
    : Result.succeed(text)
}

export const tooIntricate: SchemaIssue = {
  path: "",
  keyword: "effort",
  message: "is too intricate to be compiled"
}

export interface CheckedDocument {
  readonly acceptsObjects: boolean
  readonly compiled: CompiledSchema
  readonly warnings: ReadonlyArray<SchemaIssue>
}

/** Whether a document can be served, and whether its values may be objects. */
export const check = (document: JsonObject): Result.Result<CheckedDocument, InvalidSchema> => {
  const measured = measure(document)
  if (Result.isFailure(measured)) return Result.fail(measured.failure)
  const dialect = dialectOf(document)
  if (dialect === undefined) {
    return refuse([{ path: "/$schema", keyword: "$schema", message: "is not draft 2020-12 or 07" }])
  }
  const malformed = Metaschema.issuesOf(dialect, document)
  if (malformed.length > 0) return refuse(malformed)

  const nodes = nodesOf(dialect, document)
  const { references, issues } = References.resolve(nodes)
  const unfit = [...issuesOf(dialect, nodes), ...issues]
  if (unfit.length > 0) return refuse(unfit)

  const loop = findLoop(dialect, nodes, references)
  if (Option.isSome(loop)) {
    return refuse([
      { path: loop.value, keyword: "$ref", message: "applies itself to the same value without end" }
    ])
  }
  const whole = served(dialect, document, nodes)
  const compiled = Result.try(() => compileServed(whole))
  if (Result.isFailure(compiled) || compiled.success === undefined) return refuse([tooIntricate])
  const defaults = DefaultRules.issuesOf(whole, nodes)
  return defaults.length > 0
    ? refuse(defaults)
    : Result.succeed({
        acceptsObjects: acceptsObjects(nodes, references),
        compiled: compiled.success,
        warnings: warningsOf(dialect, nodes).slice(0, issuesMax).map(shortened)
      })
}
