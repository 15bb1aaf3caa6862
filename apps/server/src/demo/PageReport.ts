/** A report on a page in plain text, for people. */
import type { PageText } from "./PageText.ts"

export interface ReportedPage {
  readonly asked: string
  readonly url: string
  readonly status: number
  readonly content_type: string
  readonly bytes: number
  readonly truncated: boolean
  readonly words: number
  readonly sha256: string
  readonly duration_ms: number
  readonly read: PageText
}

const linksShown = 50
const excerptLength = 2_000
const lineWidth = 80

export const renderReport = (page: ReportedPage): string => {
  const { links, text, title } = page.read
  const facts: ReadonlyArray<readonly [string, string]> = [
    ["Address", page.asked],
    ...(page.url === page.asked ? [] : [["Redirected to", page.url] as const]),
    ["Status", String(page.status)],
    ["Type", page.content_type],
    ["Size", `${page.bytes} bytes${page.truncated ? ", the beginning of more" : ""}`],
    ["SHA-256", page.sha256],
    ["Fetched in", `${page.duration_ms} ms`],
    ["Words", String(page.words)],
    ["Links", String(links.length)]
  ]
  const heading = title ?? "A page without a title"
  return [
    heading,
    "=".repeat(Math.min([...heading].length, lineWidth)),
    "",
    ...facts.map(([name, value]) => `${name.padEnd(14)}${value}`),
    ...section("Text", wrap(text.slice(0, excerptLength)), text.length > excerptLength),
    ...section("Links", links.slice(0, linksShown), links.length > linksShown),
    ""
  ].join("\n")
}

const section = (name: string, lines: ReadonlyArray<string>, isCut: boolean): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", name, "-".repeat(name.length), ...lines, ...(isCut ? ["[...]"] : [])]

const wrap = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/).filter((each) => each !== "")) {
    if (line !== "" && line.length + 1 + word.length > lineWidth) {
      lines.push(line)
      line = word
    } else {
      line = line === "" ? word : `${line} ${word}`
    }
  }
  return line === "" ? lines : [...lines, line]
}
