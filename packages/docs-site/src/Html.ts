/** HTML that is safe by construction: what stands in a template is text, unless it is HTML already. */

export interface Html {
  readonly _tag: "Html"
  readonly text: string
}

export type Content = Html | string | number | undefined | ReadonlyArray<Content>

/** Takes a text for HTML. Only for what this package has made itself. */
export const trusted = (text: string): Html => ({ _tag: "Html", text })

export const empty: Html = trusted("")

export const escaped = (text: string): string =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")

const textOf = (content: Content): string => {
  if (content === undefined) return ""
  if (typeof content === "string" || typeof content === "number") return escaped(String(content))
  return isHtml(content) ? content.text : content.map(textOf).join("")
}

const isHtml = (content: Html | ReadonlyArray<Content>): content is Html => "_tag" in content

/** Fills a template: every value is escaped, also inside quoted attributes. */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<Content>): Html =>
  trusted(String.raw({ raw: strings }, ...values.map(textOf)))

/** What a reader sees of HTML of this package, on one line. */
export const plainText = ({ text }: Html): string =>
  text
    .replace(/<[^>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name] ?? "")
    .replace(/\s+/g, " ")
    .trim()

const characters: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }
