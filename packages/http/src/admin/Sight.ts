/**
 * What a caller is shown of an account. Viewers are not shown what would let them
 * act as somebody else: requests that receivers still accept, what receivers gave to
 * the service alone, and the queries of URLs.
 */
import type { AttemptItem } from "@runhook/contract/wire/DeliveryWire"
import type { ReplayItem } from "@runhook/contract/wire/ReplayWire"
import { searchWithoutQuery } from "@runhook/core/domain/delivery/ReplayJob"
import type { AccountId } from "@runhook/core/domain/Ids"
import { toleranceSeconds } from "@runhook/core/signing/WebhookSignature"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Record from "effect/Record"
import { isViewer } from "../authentication/MemberAccess.ts"

type Attempt = typeof AttemptItem.Type
type Replay = typeof ReplayItem.Type

/** Each function answers what it is given, as far as the caller may see it. */
export interface Sight {
  /** Whether a search skips what the caller is not shown. */
  readonly hidesQueries: boolean
  callback<Item extends { readonly callback_url: string | null }>(item: Item): Item
  attempt(attempt: Attempt): Attempt
  replay(replay: Replay): Replay
}

/** What stands for what is not shown. */
const mask = "masked"

/** Credentials, whoever they are for. */
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

const maskedHeaders = (headers: Readonly<Record<string, string>>, isFresh: boolean) =>
  Record.map(headers, (value, name) => {
    const isSecret = credentials.has(name.toLowerCase()) || (isFresh && signatures.has(name.toLowerCase()))
    return isSecret ? mask : /location$/i.test(name) ? maskedUrl(value) : value
  })

const all: Sight = { hidesQueries: false, callback: identity, attempt: identity, replay: identity }

const viewersAt = (now: DateTime.Utc): Sight => ({
  hidesQueries: true,
  callback: (item) => ({ ...item, callback_url: item.callback_url && maskedUrl(item.callback_url) }),
  attempt: (attempt) => {
    const { request, response, started_at } = attempt
    const acceptedUntil = DateTime.add(started_at, { seconds: toleranceSeconds })
    const isFresh = DateTime.isLessThanOrEqualTo(now, acceptedUntil)
    return {
      ...attempt,
      request: request && { ...request, headers: maskedHeaders(request.headers, isFresh) },
      response: response && { ...response, headers: maskedHeaders(response.headers, isFresh) }
    }
  },
  replay: (replay) => {
    const { filter } = replay
    return { ...replay, filter: { ...filter, q: filter.q && searchWithoutQuery(filter.q) } }
  }
})

/** What the caller is shown of this account. */
export const sightOf = Effect.fnUntraced(function* (accountId: AccountId) {
  return (yield* isViewer(accountId)) ? viewersAt(yield* DateTime.now) : all
})
