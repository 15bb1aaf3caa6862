/** The work of the demo task: fetches a page, keeps it, and reports its figures. */
import { createHash } from "node:crypto"
import { ContentType } from "@runhook/core/artifacts/Artifact"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { type Page, PageFetcher, type PageUnavailable } from "@runhook/guarded-http/PageFetcher"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A file to keep with the execution. */
export interface CapturedFile {
  readonly kind: "download" | "print"
  readonly fileName: string
  readonly contentType: string
  readonly bytes: Uint8Array
}

export interface FetchedPage {
  readonly result: JsonObject
  readonly files: ReadonlyArray<CapturedFile>
}

/**
 * Fetches a page, whatever its status: a 404 is an answer too, and its status is
 * part of the result. Fails if no answer came, or the page may not be fetched.
 */
export const fetchPage = Effect.fn("FetchPage")(function* (
  url: string
): Effect.fn.Return<FetchedPage, PageUnavailable, PageFetcher> {
  const fetcher = yield* PageFetcher
  const [duration, page] = yield* Effect.timed(fetcher.fetch(url))
  const contentType = contentTypeOf(page)
  const figures = {
    url: page.url,
    status: page.status,
    content_type: contentType,
    bytes: page.body.byteLength,
    truncated: page.isTruncated,
    title: titleOf(page),
    sha256: sha256(page.body),
    duration_ms: Math.round(Duration.toMillis(duration))
  }
  const report = new TextEncoder().encode(reportOf(figures))
  return {
    result: figures,
    files: [
      { kind: "download", fileName: fileNameOf(page.url, contentType), contentType, bytes: page.body },
      { kind: "print", fileName: "report.txt", contentType: "text/plain; charset=utf-8", bytes: report }
    ]
  }
})

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

/** The page's own media type, if it is one. */
const contentTypeOf = ({ headers }: Page): string =>
  Option.getOrElse(
    Schema.decodeUnknownOption(ContentType)(headers["content-type"]),
    () => "application/octet-stream"
  )

const titleOf = ({ body }: Page): string | null =>
  /<title>([^<]{1,200})/i.exec(new TextDecoder().decode(body))?.[1]?.trim() ?? null

/** The figures as a table in plain text, for people. */
const reportOf = ({ title, ...figures }: { readonly [name: string]: string | number | boolean | null }) =>
  [
    title ?? "A page without a title",
    "",
    ...Object.entries(figures).map(([name, value]) => `${name.padEnd(14)}${value}`),
    ""
  ].join("\n")

/** The last part of the path if it makes a file name, else a name that fits the type. */
const fileNameOf = (url: string, contentType: string): string => {
  const last = URL.parse(url)?.pathname.split("/").at(-1) ?? ""
  if (/^[\w-][\w.-]{0,99}\.\w{1,8}$/.test(last)) return last
  return /html/i.test(contentType) ? "page.html" : "page.bin"
}
