/** The results of a search, and the page for a path that does not exist. */
import { html } from "../Html.ts"
import type { Page } from "../Page.ts"
import { type Result, resultsMax } from "../Search.ts"

export const searchPage = (query: string, results: ReadonlyArray<Result>): Page => ({
  path: "/docs/search",
  title: "Search",
  kind: "Documentation",
  headings: [],
  body: html`<h1>Search</h1>
    <p class="quiet">${summaryOf(query, results.length)}</p>
    <ol class="results">
      ${results.map(
        ({ excerpt, heading, kind, path, title }) =>
          html`<li>
            <a href="${path}">${heading === "" || heading === title ? title : `${title}: ${heading}`}</a>
            <span class="quiet">${kind}</span>
            <p>${excerpt}</p>
          </li>`
      )}
    </ol>`
})

const summaryOf = (query: string, count: number): string => {
  if (query === "") return "Type what you look for into the field above: words, a path, a code, a setting."
  if (count === 0) return `Nothing has all of these words: ${query}`
  if (count === resultsMax) return `The ${count} best of what has all of these words: ${query}`
  return `${count === 1 ? "One place has" : `${count} places have`} all of these words: ${query}`
}

export const missingPage = (path?: string): Page => ({
  path: "/docs/missing",
  title: "There is no such page",
  kind: "Documentation",
  headings: [],
  body: html`<h1>There is no such page</h1>
    <p>
      ${path === undefined ? "Nothing is here" : html`Nothing is served at <code>${path}</code>`}. Search for
      it above, or begin at
      <a href="/docs">the first page</a>.
    </p>`
})
