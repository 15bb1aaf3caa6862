/** What a document says that nothing checks: the drafts call it annotations, and its author may have meant more. */
import type { SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import { type Dialect, isOwnAnnotation } from "./Dialect.ts"
import { isKnownFormat } from "./Formats.ts"
import { isObject, memberOf } from "./JsonTree.ts"
import type { SchemaNode } from "./SchemaTree.ts"

const unknownKeywords = (dialect: Dialect, { pointer, schema }: SchemaNode): ReadonlyArray<SchemaIssue> =>
  Object.keys(isObject(schema) ? schema : {})
    .filter((keyword) => !dialect.keywords.has(keyword) && !isOwnAnnotation(keyword))
    .map((keyword) => ({
      path: memberOf(pointer, keyword),
      keyword,
      message: `is not a keyword of JSON Schema draft ${dialect.name}, so nothing is checked by it`
    }))

const unknownFormats = ({ pointer, schema }: SchemaNode): ReadonlyArray<SchemaIssue> => {
  const format = isObject(schema) ? schema["format"] : undefined
  return typeof format !== "string" || isKnownFormat(format)
    ? []
    : [
        {
          path: memberOf(pointer, "format"),
          keyword: "format",
          message: "is a format that this service does not check"
        }
      ]
}

const besideReferences = (dialect: Dialect, { ignored, pointer }: SchemaNode): ReadonlyArray<SchemaIssue> =>
  ignored
    .filter((keyword) => dialect.keywords.has(keyword) && dialect.keywords.get(keyword) !== "annotation")
    .map((keyword) => ({
      path: memberOf(pointer, keyword),
      keyword,
      message: `means nothing beside $ref in draft ${dialect.name}`
    }))

/** In the order of the document. */
export const warningsOf = (dialect: Dialect, nodes: ReadonlyArray<SchemaNode>): ReadonlyArray<SchemaIssue> =>
  nodes.flatMap((node) => [
    ...unknownKeywords(dialect, node),
    ...unknownFormats(node),
    ...besideReferences(dialect, node)
  ])
