/** The page of a guide. */
import type { Guide } from "../guides/Guide.ts"
import { html } from "../Html.ts"
import type { Page } from "../Page.ts"

export const guidePage = ({ headings, html: content, path, title }: Guide): Page => ({
  path,
  title,
  kind: "Guide",
  headings,
  body: html`<article class="prose">${content}</article>`
})
