/** The page of a guide, which leads to the one before and the one after it on its shelf. */
import type { Guide, Shelf } from "../guides/Guide.ts"
import { keywordsOf } from "../guides/Keywords.ts"
import { empty, type Html, html } from "../Html.ts"
import type { Page } from "../Page.ts"

export const guidePages = ({ guides, title }: Shelf): ReadonlyArray<Page> =>
  guides.map((guide, index) => ({
    path: guide.path,
    title: guide.title,
    kind: "Guide",
    headings: guide.headings,
    keywords: keywordsOf(guide.file),
    body: html`<article class="prose">${guide.html}</article>
      <nav class="path" aria-label="${title}">
        ${linkTo("prev", "Previous", guides[index - 1])}
        <span class="quiet">${title}: ${index + 1} of ${guides.length}</span>
        ${linkTo("next", "Next", guides[index + 1])}
      </nav>`
  }))

const linkTo = (rel: string, word: string, guide: Guide | undefined): Html =>
  guide === undefined
    ? empty
    : html`<a rel="${rel}" href="${guide.path}"><span class="quiet">${word}</span> ${guide.title}</a>`
