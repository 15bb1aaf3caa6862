/** Walks the pages of a running service by their own links. */
import * as Effect from "effect/Effect"
import { request } from "../Http.ts"

export interface Visited {
  readonly path: string
  readonly status: number
  readonly contentType: string
  readonly policy: string
  readonly html: string
}

/** Most pages that are visited: a site that never ends is a mistake of its own. */
const pagesMax = 500

/** Values of an attribute, as a browser reads them. */
export const attributes = (html: string, name: string): ReadonlyArray<string> =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replaceAll("&amp;", "&").replaceAll("&#39;", "'")
  )

/** Everything of the service that pages lead to, from here on. */
export const crawl = Effect.fnUntraced(function* (baseUrl: string, from: ReadonlyArray<string>) {
  const open = [...from]
  const visited = new Map<string, Visited>()
  for (let path = open.pop(); path !== undefined && visited.size < pagesMax; path = open.pop()) {
    if (visited.has(path)) continue
    const answer = yield* request(baseUrl + path, { headers: { accept: "text/html" } })
    const contentType = answer.headers.get("content-type") ?? ""
    const isPage = contentType.startsWith("text/html")
    const html = isPage ? yield* Effect.promise(() => answer.text()) : ""
    const policy = answer.headers.get("content-security-policy") ?? ""
    visited.set(path, { path, status: answer.status, contentType, policy, html })
    open.push(
      ...[...attributes(html, "href"), ...attributes(html, "src"), answer.headers.get("location") ?? path]
        .map((link) => new URL(link, baseUrl + path))
        .filter(({ origin }) => origin === baseUrl)
        .map(({ pathname, search }) => pathname + search)
    )
  }
  return visited
})
