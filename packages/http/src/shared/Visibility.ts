/**
 * What a caller is shown of an account. Viewers are not shown what would let them
 * act as somebody else: requests that receivers still accept, what receivers gave to
 * the service alone, and the queries of URLs.
 */
import type { AttemptItem } from "@runhook/contract/deliveries/DeliveryWire"
import type { ReplayItem } from "@runhook/contract/replays/ReplayWire"
import { searchWithoutQuery } from "@runhook/core/replays/ReplayJob"
import type { AccountId } from "@runhook/core/shared/Ids"
import { toleranceSeconds } from "@runhook/core/signing/WebhookSignature"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Record from "effect/Record"
import { isViewer } from "../authentication/MemberAccess.ts"
import type { deliveryDetail } from "../deliveries/DeliveryToWire.ts"

type Attempt = typeof AttemptItem.Type
type Detail = ReturnType<typeof deliveryDetail>
type Replay = typeof ReplayItem.Type

/** Each function returns its argument without what the caller may not see. */
export interface Visibility {
  /** Whether a search skips what the caller is not shown. */
  readonly hidesQueries: boolean
  callback<Item extends { readonly callback_url: string | null }>(item: Item): Item
  delivery(delivery: Detail): Detail
  replay(replay: Replay): Replay
}

/** Replaces what is not shown. */
const mask = "masked"

/** Headers with credentials of any kind. */
const credentials: ReadonlySet<string> = new Set([
  "authorization",
  "cookie",
  "proxy-authenticate",
  "proxy-authorization",
  "set-cookie",
  "www-authenticate"
])

const signatures: ReadonlySet<string> = new Set(["webhook-signature", "x-webhook-signature"])

const maskedUrl = (url: string): string => url.replace(/\?.*/s, `?${mask}`)

const maskedCallback: Visibility["callback"] = (item) => ({
  ...item,
  callback_url: item.callback_url && maskedUrl(item.callback_url)
})

const maskedAttempt = (
  attempt: Attempt,
  { now, url }: { readonly now: DateTime.Utc; readonly url: string }
) => {
  const { request, response, started_at } = attempt
  const isFresh = !DateTime.isGreaterThan(now, DateTime.add(started_at, { seconds: toleranceSeconds }))
  const query = URL.parse(url)?.search.slice(1) ?? ""
  // A receiver may answer with the URL that it was asked for.
  const echoless = (text: string): string => (query === "" ? text : text.replaceAll(query, mask))
  const masked = (headers: Readonly<Record<string, string>>) =>
    Record.map(headers, (value, given) => {
      const name = given.toLowerCase()
      if (credentials.has(name) || (isFresh && signatures.has(name))) return mask
      return name.endsWith("location") ? maskedUrl(value) : echoless(value)
    })
  return {
    ...attempt,
    request: request && { ...request, headers: masked(request.headers) },
    response: response && {
      ...response,
      headers: masked(response.headers),
      body: response.body && echoless(response.body)
    }
  }
}

/** Hides nothing. */
export const everything: Visibility = {
  hidesQueries: false,
  callback: identity,
  delivery: identity,
  replay: identity
}

const viewersAt = (now: DateTime.Utc): Visibility => ({
  hidesQueries: true,
  callback: maskedCallback,
  delivery: (delivery) => ({
    ...maskedCallback(delivery),
    attempts_log: delivery.attempts_log.map((each) =>
      maskedAttempt(each, { now, url: delivery.callback_url })
    )
  }),
  replay: (replay) => {
    const { filter } = replay
    return { ...replay, filter: { ...filter, q: filter.q && searchWithoutQuery(filter.q) } }
  }
})

/** What the caller is shown of this account. */
export const visibilityOf = Effect.fnUntraced(function* (accountId: AccountId) {
  return (yield* isViewer(accountId)) ? viewersAt(yield* DateTime.now) : everything
})
