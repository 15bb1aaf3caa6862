/**
 * What a reader sees of an HTML page: title, text and links. It takes one pass over
 * any page, and never looks back.
 */

export interface PageText {
  readonly title: string | null
  /** The words in order, one space between them. */
  readonly text: string
  /** The values of `href`, in order, without those that lead nowhere. */
  readonly links: ReadonlyArray<string>
}

/** Elements whose content readers do not see. */
const unseen: ReadonlySet<string> = new Set(["script", "style", "template", "noscript", "svg", "textarea"])

/** The longest tag that is parsed, in characters. */
const tagLengthMax = 8_192

export const readHtml = (html: string): PageText => {
  const lower = html.toLowerCase()
  const text: Array<string> = []
  const links: Array<string> = []
  let title: string | null = null
  let at = 0
  while (at < html.length) {
    const open = indexOrEnd(html, "<", at)
    text.push(html.slice(at, open))
    if (lower.startsWith("<!--", open)) {
      at = indexOrEnd(html, "-->", open + 4) + 3
      continue
    }
    const close = indexOrEnd(html, ">", open)
    const tag = html.slice(open, Math.min(close, open + tagLengthMax))
    const name = /^<([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? ""
    at = close + 1
    // A tag separates words, unless it only changes how they look.
    if (!/^<\/?(?:a|abbr|b|code|em|i|small|span|strong|sub|sup|u)\b/i.test(tag)) text.push(" ")
    if (name === "a") links.push(...hrefOf(tag))
    if (name === "title" || unseen.has(name)) {
      const end = indexOrEnd(lower, `</${name}`, at)
      if (name === "title") title ??= readable(html.slice(at, end))
      at = end
    }
  }
  return { title: title === "" ? null : title, text: readable(text.join("")), links }
}

/** Text with its character references decoded and its white space reduced to single spaces. */
const readable = (text: string): string =>
  text
    .replace(
      /&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{1,8});/gi,
      (reference, name: string) => characterOf(name) ?? reference
    )
    .split(/\s+/)
    .filter((word) => word !== "")
    .join(" ")

export const countWords = (text: string): number =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length

const hrefOf = (tag: string): ReadonlyArray<string> => {
  const [, double, single, bare] = /\shref=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag) ?? []
  const href = readable(double ?? single ?? bare ?? "")
  return href === "" || href.startsWith("#") ? [] : [href]
}

const namedCharacters: { readonly [name: string]: string } = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: " ",
  quot: '"',
  copy: "©",
  mdash: "—",
  ndash: "–",
  hellip: "…"
}

const characterOf = (name: string): string | undefined => {
  if (!name.startsWith("#")) return namedCharacters[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined
}

const indexOrEnd = (text: string, part: string, from: number): number => {
  const index = text.indexOf(part, from)
  return index === -1 ? text.length : index
}
