/** Finds pages, and parts of them, that have all the words of a query. */
import { type Html, html, plainText, trusted } from "./Html.ts"
import type { Page } from "./Page.ts"

/** The longest query that is read, in characters. */
export const queryLengthMax = 100

/** The most results of a query. */
export const resultsMax = 30

/** A page up to its first heading, or the text under one of its headings. */
export interface Section {
  readonly path: string
  readonly title: string
  readonly heading: string
  readonly kind: string
  readonly text: string
  /** What else finds it, in lower case. */
  readonly keywords: ReadonlyArray<string>
}

export interface Result extends Section {
  /** The text around the first word found. */
  readonly excerpt: Html
}

/** Cuts a page at its headings that have an anchor. */
export const sectionsOf = ({ body, keywords = [], kind, path, title }: Page): ReadonlyArray<Section> =>
  body.text.split(/(?=<h[23] id=")/).map((text) => {
    const [, id, heading = ""] = /^<h[23] id="([^"]*)">([^]*?)<\/h[23]>/.exec(text) ?? []
    return {
      path: id === undefined ? path : `${path}#${id}`,
      title,
      heading: plainText(trusted(heading.replace(/<a class="anchor"[^]*?<\/a>/, ""))),
      kind,
      // They are about the page as a whole.
      keywords: id === undefined ? keywords : [],
      text: plainText(
        trusted(
          text
            .replace(/<a class="anchor"[^]*?<\/a>/g, "")
            .replace(/^<h[^]*?<\/h[123]>/, "")
            // The language of code is nowhere but in its name.
            .replace(/<pre[^>]* aria-label="([^"]*)"/g, "$1 $&")
        )
      )
    }
  })

/** The sections that have every word, the best matches first. */
export const search = (sections: ReadonlyArray<Section>, query: string): ReadonlyArray<Result> => {
  const words = wordsOf(query)
  if (words.length === 0) return []
  return sections
    .map((section) => ({ section, weight: weightOf(section, words) }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight)
    .slice(0, resultsMax)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }))
}

/** What the pages' script shows below the field, with links that lead to where `target` says. */
export const suggestions = (
  sections: ReadonlyArray<Section>,
  query: string,
  target: (path: string) => string
) =>
  search(sections, query).map(({ excerpt, heading, kind, path, title }) => ({
    path: target(path),
    title,
    heading,
    kind,
    excerpt: plainText(excerpt)
  }))

const wordsOf = (query: string): ReadonlyArray<string> =>
  query
    .slice(0, queryLengthMax)
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")

const weightOf = (section: Section, words: ReadonlyArray<string>): number => {
  const weights = words.map((word) => weightOfWord(section, word))
  return weights.includes(0) ? 0 : weights.reduce((sum, weight) => sum + weight, 0)
}

/** A whole guide comes before a part of another, and before the operations of an API. */
const weightOfWord = ({ heading, keywords, kind, text, title }: Section, word: string): number =>
  (keywords.includes(word) ? 24 : 0) +
  (has(title, word) ? (heading === "" ? (kind === "Guide" ? 16 : 12) : 4) : 0) +
  (has(heading, word) ? 8 : 0) +
  (has(text, word) ? 1 : 0)

const has = (text: string, word: string): boolean => text.toLowerCase().includes(word)

const excerptBefore = 60
const excerptLength = 200

const excerptOf = (text: string, words: ReadonlyArray<string>): Html => {
  const found = words.map((word) => text.toLowerCase().indexOf(word)).filter((index) => index >= 0)
  const begin = Math.max(0, Math.min(...found, text.length) - excerptBefore)
  const from = found.length === 0 || begin === 0 ? 0 : text.indexOf(" ", begin) + 1
  const cut = text.slice(from, from + excerptLength)
  return html`${from > 0 ? "… " : ""}${marked(cut, words)}${from + excerptLength < text.length ? " …" : ""}`
}

const marked = (text: string, words: ReadonlyArray<string>): Html => {
  const pattern = new RegExp(`(${words.map(literally).join("|")})`, "i")
  const parts = text.split(new RegExp(pattern, "gi"))
  return html`${parts.map((part) => (pattern.test(part) ? html`<mark>${part}</mark>` : part))}`
}

/** The word as a pattern that matches nothing else. */
const literally = (word: string): string => word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
