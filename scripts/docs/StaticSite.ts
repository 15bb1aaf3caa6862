/**
 * The documentation as files: the pages that the service serves, with links that work
 * wherever the folder lies, and a search that runs in the browser.
 */
import { readFileSync } from "node:fs"
import { assetUrl, icon, texts } from "@runhook/docs-site/Assets"
import { framed } from "@runhook/docs-site/Frame"
import { type Html, html, trusted } from "@runhook/docs-site/Html"
import type { Page } from "@runhook/docs-site/Page"
import { missingPage, searchPage } from "@runhook/docs-site/pages/SearchPage"
import type { Site } from "@runhook/docs-site/Site"
import { relinked } from "@runhook/http/BaseUrl"

type File = readonly [path: string, content: string | Uint8Array]

/** What each file holds, by its path in the site. */
export type Files = ReadonlyMap<string, string | Uint8Array>

export interface StaticSource {
  readonly site: Site
  /** The OpenAPI documents, by the paths at which the service serves them. */
  readonly documents: ReadonlyMap<string, string>
  /** `search.js` and what it imports, as one script. */
  readonly searchScript: string
}

export const filesOf = ({ documents, searchScript, site }: StaticSource): Files => {
  const places = placesOf(site, documents)
  const pageFile = (path: string, page: Page, head: Html = searchTag): File => {
    // Links go up to where the site begins, and down from there.
    const up = "../".repeat(path.split("/").length - 1)
    const target = (link: string) => {
      const place = placeIn(places, link)
      return place === undefined ? undefined : up + place
    }
    return [path, relinked(framed(page, site.navigation, { head }), target)]
  }
  const index = site.sections.map((section) => ({ ...section, path: placeIn(places, section.path) }))
  return new Map([
    ...Array.from(site.pages.values(), (page) => pageFile(decodeURIComponent(placeOf(page.path)), page)),
    pageFile("search.html", emptySearchPage),
    pageFile("404.html", missingPage(), html`${beginning}${searchTag}`),
    ...texts.map(({ name }): File => [`assets/${name}`, readFileSync(assetUrl(name), "utf8")]),
    [icon.name, readFileSync(assetUrl(icon.name))],
    ["assets/search.js", searchScript],
    ["assets/search.json", JSON.stringify(index)],
    ...Array.from(documents, ([path, text]): File => [places.get(path) ?? path, text])
  ])
}

/** Where in the site lies what pages lead to. What only a running service has lies nowhere. */
const placesOf = ({ pages }: Site, documents: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([
    ...Array.from([...pages.keys(), "/docs/search"], (path) => [path, placeOf(path)] as const),
    ...texts.map(({ name, path }) => [path, `assets/${name}`] as const),
    [searchScriptPath, "assets/search.js"],
    ...Array.from(
      documents.keys(),
      (path) => [path, path.replace(/^.*\/(\w+)\/openapi/, "openapi/$1")] as const
    )
  ])

/** Names end in `.html`, since not every server finds `webhooks/index.html` at `webhooks`. */
const placeOf = (path: string): string =>
  path === "/docs" ? "index.html" : `${path.slice("/docs/".length)}.html`

/** Where a link leads, with its anchor. */
const placeIn = (places: ReadonlyMap<string, string>, link: string): string | undefined => {
  const [, path = "", anchor = ""] = /^([^#]*)(.*)$/.exec(link) ?? []
  const place = places.get(path)
  return place === undefined ? undefined : place + anchor
}

const searchScriptPath = "/docs/assets/search.js"

const searchTag = html`<script src="${searchScriptPath}" defer></script>`

/** The script puts the results in this place. */
const emptySearchPage: Page = {
  ...searchPage("", []),
  body: html`<div id="results">
    <h1>Search</h1>
    <p>The search runs in your browser, and needs JavaScript.</p>
  </div>`
}

/**
 * Servers show the page for what is missing at any address, so it looks for the beginning of the site:
 * above the folders that the site has, or else where the address is.
 */
const beginning = trusted(`<script>
  {
    const path = location.pathname
    const [, begin] = /^(.*\\/)(?:api|assets|guides|openapi)\\//.exec(path) ?? /^(.*\\/)/.exec(path)
    document.head.append(Object.assign(document.createElement("base"), { href: begin }))
    document.addEventListener("DOMContentLoaded", () => {
      for (const link of document.querySelectorAll('a[href^="#"]')) link.href = path + link.hash
    })
  }
</script>`)
