/** A page of the documentation, without its frame. */
import type { Html } from "./Html.ts"
import type { Heading } from "./Markdown.ts"

export interface Page {
  /** The path of the page, which the navigation marks too. */
  readonly path: string
  readonly title: string
  /** What it belongs to, as search shows it: `Guide`, `Integration API`. */
  readonly kind: string
  readonly body: Html
  /** What else finds the page, in lower case. */
  readonly keywords?: ReadonlyArray<string>
  /** Its headings, for the list beside it. */
  readonly headings: ReadonlyArray<Heading>
}

/** Links that the navigation shows together. */
export interface NavigationGroup {
  readonly title: string
  readonly links: ReadonlyArray<NavigationLink>
}

export interface NavigationLink {
  readonly path: string
  readonly title: string
  /** Shown while one of them, or the link itself, is the page. */
  readonly groups?: ReadonlyArray<NavigationGroup>
}
