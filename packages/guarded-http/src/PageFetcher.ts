/** Fetches pages from untrusted URLs: the simple entry to `GuardedAgent`, which follows redirects. */
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { GuardedAgent } from "./GuardedAgent.ts"

export interface Page {
  /** Where the page finally was. */
  readonly url: string
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** Whether the page is longer than what was read. */
  readonly isTruncated: boolean
}

/** The page could not be fetched, or must not be. */
export class PageUnavailable extends Schema.TaggedError<PageUnavailable>()("PageUnavailable", {
  url: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `${this.url} could not be fetched: ${this.reason}`
  }
}

/** Bytes of a page that are read. */
const bodyMax = 5 * 1024 * 1024

/** Redirects that are followed, each to a target that the policy allows too. */
const redirectsMax = 5

/** Longest time for a page, redirects included. */
const timeLimit = Duration.seconds(15)

export class PageFetcher extends Context.Service<
  PageFetcher,
  {
    /** Gets a page, whatever its status: up to 5 MiB of it, within 15 s, over at most 5 redirects. */
    fetch(url: string): Effect.Effect<Page, PageUnavailable>
  }
>()("@runhook/guarded-http/PageFetcher") {
  /** Names itself to receivers by `userAgent`. Default: `guarded-http/1`. */
  static readonly layer = (
    options: { readonly userAgent?: string } = {}
  ): Layer.Layer<PageFetcher, never, GuardedAgent> =>
    Layer.effect(
      PageFetcher,
      Effect.gen(function* () {
        const agent = yield* GuardedAgent

        const get = Effect.fnUntraced(function* (url: string) {
          const answer = yield* agent.request({
            method: "GET",
            url,
            headers: { "user-agent": options.userAgent ?? "guarded-http/1", accept: "text/html,*/*;q=0.8" },
            body: null,
            bodyMax
          })
          const { error, phase, status } = answer
          if (phase === "policy")
            return yield* new PageUnavailable({ url, reason: "Its URL may not be fetched" })
          if (error !== null || status === null) {
            return yield* new PageUnavailable({ url, reason: error ?? "No answer came" })
          }
          return { url, status, headers: answer.headers, body: answer.body, isTruncated: answer.isTruncated }
        })

        const follow = (url: string, redirectsLeft: number): Effect.Effect<Page, PageUnavailable> =>
          Effect.flatMap(get(url), (page) => {
            const location = locationOf(page)
            if (location === undefined) return Effect.succeed(page)
            return redirectsLeft === 0
              ? Effect.fail(new PageUnavailable({ url, reason: `More than ${redirectsMax} redirects` }))
              : follow(location, redirectsLeft - 1)
          })

        return PageFetcher.of({
          fetch: flow((url) =>
            Effect.timeoutOrElse(follow(url, redirectsMax), {
              duration: timeLimit,
              orElse: () =>
                Effect.fail(new PageUnavailable({ url, reason: "The page was not complete in time" }))
            })
          )
        })
      })
    )
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Where a redirect leads; undefined if the page is none, or leads nowhere. */
const locationOf = ({ headers, status, url }: Page): string | undefined => {
  const location = headers["location"]
  return redirects.has(status) && location !== undefined ? URL.parse(location, url)?.href : undefined
}
