/**
 * Binds a cursor to its list: to the endpoint, the ids of its path and its
 * filters. Anywhere else it would show some place in the middle of another list.
 */
import { listMarkLength, openCursor } from "@runhook/core/shared/Cursor"
import { fingerprint } from "@runhook/core/signing/Fingerprint"
import * as Option from "effect/Option"
import type { FieldIssue } from "../../errors/SchemaIssues.ts"
import type { UrlParts } from "../Call.ts"

/** The mark of the list that an endpoint shows at a URL. Which page of it is no filter. */
export const listMarkOf = (endpoint: { readonly path: string }, { params, search }: UrlParts): string => {
  const filters = Object.entries(search)
    .filter(([name]) => name !== "cursor" && name !== "limit")
    .map(([name, value]) => [name, [value].flat().toSorted()] as const)
  const ids = Object.values(params).map((id = "") => id)
  return fingerprint([endpoint.path, ids, Object.fromEntries(filters)]).slice(0, listMarkLength)
}

/** What is wrong with the cursor of a request; nothing if it has none, or one that is malformed. */
export const foreignCursor = (
  endpoint: { readonly path: string },
  url: UrlParts
): ReadonlyArray<FieldIssue> => {
  const given = url.search["cursor"]
  const place = typeof given === "string" ? openCursor(given) : Option.none()
  return Option.isSome(place) && place.value.list !== listMarkOf(endpoint, url)
    ? [{ path: ["query", "cursor"], message: "must be a next_cursor of this list with the same filters" }]
    : []
}
