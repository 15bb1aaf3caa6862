/** What the drafts say about schemas themselves. */
import type { JsonObject } from "@runhook/core/shared/json/Json"
import type { SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import type { Dialect } from "./Dialect.ts"
import { issuesOf as issuesOfErrors } from "./Issues.ts"

// One instance per draft, for good: it compiles only the metaschema, whose optimized code would take a quarter longer.
const instances = new Map<Dialect, InstanceType<Dialect["Ajv"]>>()

const instanceOf = (dialect: Dialect) => {
  const instance =
    instances.get(dialect) ??
    new dialect.Ajv({
      allErrors: true,
      code: { optimize: false },
      logger: false,
      strict: false,
      validateFormats: false
    })
  instances.set(dialect, instance)
  return instance
}

/** Why a document is no schema of its draft. */
export const issuesOf = (dialect: Dialect, document: JsonObject): ReadonlyArray<SchemaIssue> => {
  const ajv = instanceOf(dialect)
  return ajv.validate(dialect.metaschema, document) === true ? [] : issuesOfErrors(ajv.errors ?? [])
}
