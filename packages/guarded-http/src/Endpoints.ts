/** URLs, parsed and judged once for as long as they are remembered: a few of them are called often. */
import { checkUrl } from "@runhook/core/domain/target/CallbackUrl"
import type { TargetPolicy } from "@runhook/core/domain/target/TargetPolicy"
import type { TargetRefused } from "@runhook/core/domain/target/TargetRefused"
import { BoundedMap } from "@runhook/core/runtime/BoundedMap"
import * as Result from "effect/Result"

export interface Endpoint {
  readonly origin: string
  /** Path and query. */
  readonly path: string
  readonly host: string
}

const rememberedMax = 1_000

export class Endpoints {
  readonly #policy: TargetPolicy
  readonly #known = new BoundedMap<string, Result.Result<Endpoint, TargetRefused>>(rememberedMax)

  constructor(policy: TargetPolicy) {
    this.#policy = policy
  }

  /** The endpoint of the URL, if it may be called as far as its text tells. */
  of(text: string): Result.Result<Endpoint, TargetRefused> {
    const known = this.#known.get(text)
    if (known !== undefined) return known
    const endpoint = Result.map(checkUrl(text, this.#policy), ({ host, origin, pathname, search }) => ({
      origin,
      path: pathname + search,
      host
    }))
    this.#known.set(text, endpoint)
    return endpoint
  }
}
