/** Markdown as HTML. HTML inside it is shown as text. */
import { Marked } from "marked"
import { type Html, escaped, html, plainText, trusted } from "./Html.ts"

/** Where a link leads; undefined if it leads nowhere. */
export type LinkTarget = (href: string) => string | undefined

export interface Heading {
  readonly depth: number
  readonly id: string
  readonly text: string
}

export interface Rendered {
  readonly html: Html
  readonly headings: ReadonlyArray<Heading>
}

/** A command or a piece of code, to which the pages' script adds a copy button. */
export const codeBlock = (text: string, language = ""): Html =>
  html`<div class="code">
    <pre tabindex="0" role="group" aria-label="${labelOf(language)}"><code>${text}</code></pre>
  </div>`

const labelOf = (language: string): string =>
  labels[language] ?? (language === "" ? "Code" : `Code: ${language}`)

const labels: { readonly [language: string]: string } = {
  sh: "Shell command",
  json: "JSON",
  ts: "TypeScript",
  sql: "SQL",
  python: "Python",
  go: "Go",
  http: "HTTP",
  js: "JavaScript",
  tsx: "TypeScript",
  text: "Text"
}

/** Renders a document whose links lead where `target` says. */
export const renderMarkdown = (text: string, target: LinkTarget): Rendered => {
  const headings: Array<Heading> = []
  const marked = new Marked({
    renderer: {
      html: ({ text: source }) => escaped(source),
      code: ({ lang, text: code }) => codeBlock(code, lang ?? "").text,
      heading({ depth, tokens }) {
        const content = this.parser.parseInline(tokens)
        const title = plainText(trusted(content))
        const id = anchorOf(title, headings)
        headings.push({ depth, id, text: title })
        return `<h${depth} id="${id}">${content}${depth > 1 ? anchorLink(id, title).text : ""}</h${depth}>\n`
      },
      link({ href, tokens }) {
        const content = trusted(this.parser.parseInline(tokens))
        const to = target(href)
        return to === undefined
          ? html`<span>${content}</span>`.text
          : html`<a href="${to}">${content}</a>`.text
      },
      // Nothing is fetched from elsewhere, and the documents have no pictures of their own.
      image: ({ text: alternative }) => escaped(alternative),
      table(token) {
        const head = token.header.map((cell) => {
          const content = this.parser.parseInline(cell.tokens)
          // A corner cell that heads nothing is no heading.
          return content === "" ? "<td></td>" : `<th scope="col">${content}</th>`
        })
        const rows = token.rows.map(
          (row) =>
            `<tr>${row.map((cell) => `<td>${this.parser.parseInline(cell.tokens)}</td>`).join("")}</tr>`
        )
        return tableFrame(
          trusted(`<table><thead><tr>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`)
        ).text
      }
    }
  })
  const content = trusted(marked.parse(text, { async: false }))
  return { html: content, headings }
}

/** A line or a few, such as descriptions of APIs. */
export const renderBrief = (text: string): Html => renderMarkdown(text, externalOnly).html

/** The same within a sentence of a page. */
export const renderInline = (text: string): Html => {
  const { text: content } = renderBrief(text)
  const paragraph = /^<p>([^]*)<\/p>\s*$/.exec(content)?.[1]
  return paragraph === undefined || paragraph.includes("<p>") ? trusted(content) : trusted(paragraph)
}

const externalOnly: LinkTarget = (href) => (/^(?:https?:|\/(?!\/))/.test(href) ? href : undefined)

/** Wide tables scroll by themselves, also with the keyboard. */
export const tableFrame = (table: Html): Html =>
  html`<div class="table" tabindex="0" role="group" aria-label="Table">${table}</div>`

export const anchorLink = (id: string, title: string): Html =>
  html`<a class="anchor" href="#${id}" aria-label="Link to: ${title}">#</a>`

/** As GitHub makes them, so that links between the documents work in both places. */
const anchorOf = (title: string, earlier: ReadonlyArray<Heading>): string => {
  const base = title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-")
  const count = earlier.filter(({ id }) => id === base || id.replace(/-\d+$/, "") === base).length
  return count === 0 ? base : `${base}-${count}`
}
