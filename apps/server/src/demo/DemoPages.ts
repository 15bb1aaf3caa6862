/** The HTML of development mode. It looks like the documentation, and loads everything from this service. */
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { linkTo, withLinks } from "@runhook/http/BaseUrl"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Str from "effect/String"

export type PageName = "inbox" | "page" | "welcome"

/** Reads the pages, and fills in what only this start of the service knows. */
export const loadPages = Effect.fnUntraced(
  function* (words: { readonly baseUrl: string; readonly curl: string; readonly keeping: string }) {
    const files = yield* FileSystem.FileSystem
    const read = (name: string) =>
      files.readFileString(fileURLToPath(new URL(`./pages/${name}`, import.meta.url)))
    const load = (name: PageName) =>
      Effect.map(read(`${name}.html`), (html) =>
        answerOf(
          withLinks(html, words.baseUrl)
            .replace("{{root}}", () => linkTo(words.baseUrl, "/"))
            .replace("{{curl}}", () => escaped(words.curl))
            .replace("{{keeping}}", () => escaped(words.keeping))
        )
      )
    return yield* Effect.all({ inbox: load("inbox"), page: load("page"), welcome: load("welcome") })
  },
  // They are part of the program.
  Effect.orDie
)

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const answerOf = (html: string) =>
  HttpServerResponse.text(html, {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policyOf(html), "referrer-policy": "no-referrer" }
  })

/** Allows the files of the documentation, and the page's own style and script by their hashes. */
const policyOf = (html: string): string =>
  [
    "default-src 'none'",
    `style-src 'self'${hashOf(html, "style")}`,
    `script-src 'self'${hashOf(html, "script")}`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")

const hashOf = (html: string, element: "script" | "style"): string => {
  const content = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html)?.[1]
  return Str.isString(content) ? ` 'sha256-${createHash("sha256").update(content).digest("base64")}'` : ""
}
