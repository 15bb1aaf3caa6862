/** A document as the schemas in it. */
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import { type Dialect, isBesideRef, keywordsRead } from "./Dialect.ts"
import { isArray, isObject, memberOf } from "./JsonTree.ts"

/** A schema within the document. */
export interface SchemaNode {
  /** JSON Pointer from the root of the document. */
  readonly pointer: string
  /** With the keywords that its draft reads. */
  readonly schema: Json
  /** The keywords that its draft does not read, since they stand beside `$ref`. */
  readonly ignored: ReadonlyArray<string>
  /** The identified schema it belongs to: the nearest one with an `$id`, or the root. */
  readonly resource: { readonly url: string; readonly pointer: string }
}

/** The base of relative references in a document without `$id`. */
const anonymousUrl = "schema:/"

/** Resolves a reference, without its fragment. Undefined if it is not a URL. */
export const resolveUrl = (
  reference: string,
  base: string
): { readonly url: string; readonly fragment: string } | undefined => {
  if (!URL.canParse(reference, base)) return undefined
  const { href, hash } = new URL(reference, base)
  return { url: href.split("#", 1)[0] ?? href, fragment: hash.slice(1) }
}

/** The schemas directly under a keyword of a schema, with their pointers. */
export const subschemasOf = (
  dialect: Dialect,
  keyword: string,
  value: Json,
  pointer: string
): ReadonlyArray<readonly [pointer: string, schema: Json]> => {
  const role = dialect.keywords.get(keyword)
  const path = memberOf(pointer, keyword)
  if (role === "schema") {
    return isArray(value) ? value.map((schema, index) => [memberOf(path, index), schema]) : [[path, value]]
  }
  return role === "schemas" && isObject(value)
    ? Object.entries(value).flatMap(([name, schema]) =>
        isArray(schema) ? [] : [[memberOf(path, name), schema]]
      )
    : []
}

const resourceOf = ({ $id }: JsonObject, pointer: string, parent: SchemaNode["resource"]) => {
  // In draft 07, an `$id` that is only a fragment is an anchor.
  if (typeof $id !== "string" || $id.startsWith("#")) return parent
  const url = resolveUrl($id, parent.url)?.url
  return url === undefined ? parent : { url, pointer }
}

/** Every schema of the document, each before those inside it. */
export const nodesOf = (
  dialect: Dialect,
  given: Json,
  pointer = "",
  parent: SchemaNode["resource"] = { url: anonymousUrl, pointer: "" }
): ReadonlyArray<SchemaNode> => {
  if (!isObject(given)) return [{ pointer, schema: given, ignored: [], resource: parent }]
  const schema = keywordsRead(dialect, given)
  const resource = resourceOf(schema, pointer, parent)
  return [
    {
      pointer,
      schema,
      ignored: Object.keys(given).filter((keyword) => isBesideRef(dialect, given, keyword)),
      resource
    },
    ...Object.entries(schema).flatMap(([keyword, value]) =>
      subschemasOf(dialect, keyword, value, pointer).flatMap(([path, subschema]) =>
        nodesOf(dialect, subschema, path, resource)
      )
    )
  ]
}
