/** Callback URLs that may be called, parsed and judged once while they are cached: a few of them come often. */
import * as Result from "effect/Result"
import { checkUrl } from "../domain/target/CallbackUrl.ts"
import type { TargetPolicy } from "../domain/target/TargetPolicy.ts"
import type { TargetRefused } from "../domain/target/TargetRefused.ts"
import { BoundedMap } from "./BoundedMap.ts"

export interface CheckedUrl {
  /** The whole URL in normal form, as it is stored and called. */
  readonly href: string
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly host: string
}

const rememberedMax = 1_000

export class CheckedUrls {
  readonly #policy: TargetPolicy
  /** None that was refused: such a text may be of any length. */
  readonly #known = new BoundedMap<string, Result.Success<CheckedUrl, TargetRefused>>(rememberedMax)

  constructor(policy: TargetPolicy) {
    this.#policy = policy
  }

  /** The URL in its parts, unless the text alone shows that it must not be called. */
  of(text: string): Result.Result<CheckedUrl, TargetRefused> {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const judged = Result.map(checkUrl(text, this.#policy), ({ host, href, origin, pathname, search }) => ({
      href,
      origin,
      path: pathname + search,
      host
    }))
    if (Result.isSuccess(judged)) this.#known.set(text, judged)
    return judged
  }
}
