/** Where the references of a document lead. They never leave it. */
import type { Json } from "@runhook/core/shared/json/Json"
import type { SchemaIssue } from "@runhook/core/executions/params/ParamsValidator"
import * as Result from "effect/Result"
import { isObject, memberOf } from "./JsonTree.ts"
import { resolveUrl, type SchemaNode } from "./SchemaTree.ts"

/** The pointers that references lead to, by the pointer of the schema with the reference. */
export type References = ReadonlyMap<string, string>

interface Resolution {
  readonly references: References
  readonly issues: ReadonlyArray<SchemaIssue>
}

const anchorsOf = (schema: Json): ReadonlyArray<string> => {
  if (!isObject(schema)) return []
  const { $anchor, $dynamicAnchor, $id } = schema
  const idAnchor = typeof $id === "string" && $id.startsWith("#") ? $id.slice(1) : undefined
  return [$anchor, $dynamicAnchor, idAnchor].filter((anchor) => typeof anchor === "string")
}

/**
 * Every name that a reference can use for a node: pointers from the root and from
 * its resource, and anchors.
 */
const namesOf = ({ pointer, schema, resource }: SchemaNode, rootUrl: string): ReadonlySet<string> =>
  new Set([
    `${rootUrl}#${pointer}`,
    `${resource.url}#${pointer.slice(resource.pointer.length)}`,
    ...anchorsOf(schema).map((anchor) => `${resource.url}#${anchor}`)
  ])

/** The node that a reference means: the URL of its resource, and its pointer or anchor there. */
const meantBy = (reference: string, base: string) => {
  const resolved = resolveUrl(reference, base)
  if (resolved === undefined) return undefined
  return Result.try(() => ({ url: resolved.url, fragment: decodeURIComponent(resolved.fragment) })).pipe(
    Result.getOrElse(() => undefined)
  )
}

/** Resolves the references of a document, with an issue for each that leads nowhere. */
export const resolve = (nodes: ReadonlyArray<SchemaNode>): Resolution => {
  const rootUrl = nodes[0]?.resource.url ?? ""
  const targets = new Map<string, string>()
  const references = new Map<string, string>()
  const issues: Array<SchemaIssue> = []
  const dynamicAnchors = new Map<Json | undefined, number>()

  for (const node of nodes) {
    const names = namesOf(node, rootUrl)
    if (Array.from(names).some((name) => targets.has(name))) {
      issues.push({
        path: node.pointer,
        keyword: "$id",
        message: "has a name that another schema has already"
      })
    }
    for (const name of names) targets.set(name, node.pointer)
    const anchor = isObject(node.schema) ? node.schema["$dynamicAnchor"] : undefined
    dynamicAnchors.set(anchor, (dynamicAnchors.get(anchor) ?? 0) + 1)
  }

  for (const { pointer, schema, resource } of nodes) {
    if (!isObject(schema)) continue
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = schema[keyword]
      if (typeof reference !== "string") continue
      const path = memberOf(pointer, keyword)
      const meant = meantBy(reference, resource.url)
      const target = meant && targets.get(`${meant.url}#${meant.fragment}`)
      if (target === undefined) {
        issues.push({ path, keyword, message: "does not lead to a schema inside this document" })
      } else if (references.has(pointer)) {
        issues.push({ path, keyword, message: "cannot stand beside $ref" })
      } else if (keyword === "$dynamicRef" && (dynamicAnchors.get(meant?.fragment) ?? 0) > 1) {
        // With one anchor of that name it means the same as $ref; with several it depends on the caller.
        issues.push({ path, keyword, message: "leads to an anchor that occurs more than once" })
      } else references.set(pointer, target)
    }
  }
  return { references, issues }
}
