/** A document of the repository as a page. */
import type { Html } from "../Html.ts"
import { type Heading, renderMarkdown } from "../Markdown.ts"

/** A document in the repository. */
export interface GuideSource {
  /** From the root of the repository: `docs/operating/README.md`. */
  readonly file: string
  readonly text: string
}

export interface Guide {
  readonly file: string
  readonly path: string
  readonly title: string
  readonly html: Html
  readonly headings: ReadonlyArray<Heading>
}

/** Where the page of a document is. */
export const guidePath = (file: string): string =>
  `/docs/guides/${file.replace(/^(?:docs|packages)\//, "").replace(/(?:\/README)?\.md$/, "")}`

/** Renders documents that link to each other. A link to any other document leads nowhere. */
export const guidesOf = (sources: ReadonlyArray<GuideSource>): ReadonlyArray<Guide> => {
  const paths = new Map(sources.map(({ file }) => [file, guidePath(file)]))
  return sources.map(({ file, text }) => {
    const { headings, html } = renderMarkdown(text, (href) => targetOf(href, file, paths))
    const title = headings.find(({ depth }) => depth === 1)?.text ?? file
    return { file, path: guidePath(file), title, html, headings }
  })
}

const root = "file:///"

const targetOf = (href: string, from: string, paths: ReadonlyMap<string, string>): string | undefined => {
  if (/^(?:https?:|#)/.test(href)) return href
  const url = URL.parse(href, root + from)
  const path = url === null ? undefined : paths.get(decodeURIComponent(url.pathname.slice(1)))
  return path === undefined ? undefined : path + (url?.hash ?? "")
}

export interface Shelf {
  readonly title: string
  readonly guides: ReadonlyArray<Guide>
}

/** What readers come for, and the documents for it, in reading order. */
const shelves: ReadonlyArray<{ readonly title: string; readonly files: ReadonlyArray<string> }> = [
  { title: "Choose", files: ["docs/choosing.md"] },
  {
    title: "Integrate",
    files: [
      "docs/integrating/README.md",
      "packages/sdk/README.md",
      "packages/sdk-python/README.md",
      "packages/sdk-go/README.md",
      "docs/webhooks.md",
      "docs/lifecycle.md",
      "docs/errors.md",
      "docs/limits.md",
      "docs/integrating/schedules.md",
      "docs/integrating/types.md",
      "docs/integrating/",
      "examples/integrator/README.md"
    ]
  },
  { title: "Write an agent", files: ["docs/agents/README.md", "docs/agents/", "examples/agent/README.md"] },
  {
    title: "Operate",
    files: [
      "docs/operating/README.md",
      ...[
        "one-server",
        "install",
        "secure",
        "page",
        "watch",
        "alerts",
        "backup",
        "upgrade",
        "storage",
        "callbacks",
        "scale",
        "troubleshoot",
        "commands",
        "settings"
      ].map((name) => `docs/operating/${name}.md`),
      "docs/operating/",
      "examples/operator/README.md"
    ]
  },
  { title: "Embed", files: ["docs/embedding/README.md", "docs/embedding/", "examples/embedder/README.md"] },
  { title: "Look up", files: ["docs/glossary.md"] }
]

/** The guides on their shelves. Guides without a shelf go on a last one. */
export const shelved = (guides: ReadonlyArray<Guide>): ReadonlyArray<Shelf> => {
  const placed = new Set<Guide>()
  const filled = shelves.map(({ files, title }) => ({
    title,
    guides: files.flatMap((file) =>
      guides.filter((guide) => {
        const isHere =
          !placed.has(guide) && (guide.file === file || (file.endsWith("/") && guide.file.startsWith(file)))
        if (isHere) placed.add(guide)
        return isHere
      })
    )
  }))
  const others = { title: "More", guides: guides.filter((guide) => !placed.has(guide)) }
  return [...filled, others].filter(({ guides: those }) => those.length > 0)
}
