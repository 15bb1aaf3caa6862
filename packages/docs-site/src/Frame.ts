/** The frame of every page: the head with search, the navigation, the contents of the page. */
import { empty, type Html, html } from "./Html.ts"
import type { NavigationGroup, NavigationLink, Page } from "./Page.ts"

export interface FrameOptions {
  /** What was searched for. */
  readonly query?: string
  /** What stands in the head before all that is loaded. */
  readonly head?: Html
}

export const framed = (
  page: Page,
  navigation: ReadonlyArray<NavigationGroup>,
  { head = empty, query = "" }: FrameOptions = {}
): string => {
  const parts = page.headings.filter(({ depth }) => depth === 2)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        ${head}
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          ${page.path === "/docs" ? "Runhook documentation" : `${page.title} - Runhook documentation`}
        </title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs/assets/docs.css" />
        <script src="/docs/assets/docs.js"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to the content</a>
        <header class="top">
          <a class="brand" href="/docs">${mark}<span>runhook</span> <span class="quiet">docs</span></a>
          <form class="search" action="/docs/search" role="search">
            <label class="hide" for="q">Search the documentation</label>
            <input
              id="q"
              name="q"
              type="search"
              value="${query}"
              placeholder="Search"
              autocomplete="off"
              maxlength="100"
            />
            <button>Search</button>
          </form>
          <a class="to-nav" href="#nav">Contents</a>
        </header>
        <div class="shell">
          <main id="main" tabindex="-1">${page.body}</main>
          ${
            parts.length > 1
              ? html`<aside class="parts" aria-labelledby="parts">
                  <p id="parts">On this page</p>
                  <ul>
                    ${parts.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
                  </ul>
                </aside>`
              : empty
          }
          <nav id="nav" class="nav" aria-label="Documentation" tabindex="-1">
            ${navigation.map((group) => groupOf(group, page.path))}
          </nav>
        </div>
      </body>
    </html> `.text
}

const groupOf = ({ links, title }: NavigationGroup, path: string): Html =>
  html`<p class="group">${title}</p>
    <ul>
      ${links.map((link) => linkOf(link, path))}
    </ul>`

const linkOf = (link: NavigationLink, path: string): Html =>
  html`<li>
    <a href="${link.path}" ${link.path === path ? html` aria-current="page"` : empty}>${link.title}</a>${
      link.groups !== undefined && holds(link, path)
        ? html`<div class="within">${link.groups.map((group) => groupOf(group, path))}</div>`
        : empty
    }
  </li>`

const holds = ({ groups = [], path }: NavigationLink, wanted: string): boolean =>
  path === wanted || groups.some(({ links }) => links.some((link) => holds(link, wanted)))

/** A hook whose end turns into an arrow back to the caller. */
const mark = html`<svg
  class="mark"
  viewBox="0 0 24 24"
  fill="none"
  stroke="currentColor"
  stroke-width="2.6"
  stroke-linecap="round"
  stroke-linejoin="round"
  aria-hidden="true"
>
  <path d="M6 3v11.5a6 6 0 0 0 12 0V7m-4.5 4L18 6.500l4.500 4.500" />
</svg>`
