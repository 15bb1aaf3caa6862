/** The service's URL for callers, without a slash at the end: the beginning of every link it hands out. */
import * as Context from "effect/Context"

export class BaseUrl extends Context.Service<BaseUrl, string>()("@runhook/http/BaseUrl") {}

/** `/runhook` of `https://example.com/runhook`, which a proxy takes off every request; "" without one. */
const prefixOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/+$/, "")

/** A path of the service as browsers see it: `/docs` is `/runhook/docs` there. */
export const linkTo = (baseUrl: string, path: string): string => prefixOf(baseUrl) + path

/** The path above all of the service's, as cookies and OpenAPI documents name it: `/runhook`, or `/`. */
export const rootOf = (baseUrl: string): string => prefixOf(baseUrl) || "/"

/**
 * A page whose links are written as paths of the service: each leads to where `target` says.
 * A link for which it says nothing is text.
 */
export const relinked = (html: string, target: (path: string) => string | undefined): string =>
  html.replace(/ (action|href|src)="(\/[^"]*)"/g, (_, attribute: string, path: string) => {
    const to = target(path)
    return to === undefined ? "" : ` ${attribute}="${to}"`
  })

/** The same, with links below the base URL. */
export const withLinks = (html: string, baseUrl: string): string =>
  relinked(html, (path) => linkTo(baseUrl, path))
