/** Paths of views. Every view has a URL, which includes its filters and selection. */

/** The path of the service, which has this file at `/integrations/assets/`: "" unless its base URL has one. */
export const service = /\/\/[^/]+(.*)\/integrations\/assets\//.exec(import.meta.url)?.[1] ?? ""

export const root = `${service}/integrations`

export type Query = Readonly<Record<string, string | null | undefined>>

/** `pathTo("/deliveries", { state: "dead" })`: the whole path, without empty parameters. */
export const pathTo = (path: string, query: Query = {}): string => {
  const filled = Object.entries(query).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== ""
  )
  const search = new URLSearchParams(filled).toString()
  const whole = path === "/" ? root : `${root}${path}`
  return search === "" ? whole : `${whole}?${search}`
}

/** `path` with its parameters encoded: pathOf`/deliveries/${id}`. */
export const pathOf = (strings: TemplateStringsArray, ...names: ReadonlyArray<string>): string =>
  pathTo(String.raw({ raw: strings }, ...names.map(encodeURIComponent)))
