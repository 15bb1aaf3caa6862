/** A browser in which somebody is signed in to the Integrations page. */
import type { Role } from "@runhook/core/people/Membership"
import type { AccountId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import { jsonOf } from "./Hosts.ts"
import { adminClient, baseUrl, Host } from "./Service.ts"

/** What the page sends with every call. */
export const ownHeaders = { origin: baseUrl, "x-runhook-console": "1" }

interface LinkFields {
  readonly role?: Role
  readonly name?: string
  readonly expires_in_seconds?: number
}

/** The token of a new link to the account, made by an operator. */
export const makeLinkToken = Effect.fnUntraced(function* (account_id: AccountId, payload: LinkFields = {}) {
  const admin = yield* adminClient
  const { url } = yield* admin.consoleLinks.create({ params: { account_id }, payload })
  return new URL(url).hash.slice(1)
})

/** Presents the token of a link, as the button of the sign-in page does. */
export const presentToken = Effect.fnUntraced(function* (
  token: string,
  headers: Readonly<Record<string, string>> = ownHeaders
) {
  const send = yield* Host
  return yield* send("/api/v1/admin/session", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ token })
  })
})

/** The cookie that an answer sets, as a browser sends it back; empty when it sets none. */
export const cookieOf = (answer: Response): string =>
  (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? ""

/** Signs in by a new link of an operator, and answers what sends requests with the cookie. */
export const makeBrowser = (accountId: AccountId, fields: LinkFields = {}) =>
  Effect.flatMap(makeLinkToken(accountId, fields), browserWith)

type Browser = Effect.Success<ReturnType<typeof makeBrowser>>

/** The token of a new link to the account, made in a browser. */
export const makeLinkTokenOf = (maker: Browser, accountId: AccountId, fields: LinkFields = {}) =>
  maker
    .send(`/api/v1/admin/accounts/${accountId}/console-links`, {
      method: "POST",
      body: JSON.stringify(fields)
    })
    .pipe(
      Effect.flatMap(jsonOf),
      Effect.map(({ url }) => new URL(String(url)).hash.slice(1))
    )

/** Signs in by a new link that was made in another browser. */
export const makeBrowserOf = (maker: Browser, accountId: AccountId, fields: LinkFields = {}) =>
  Effect.flatMap(makeLinkTokenOf(maker, accountId, fields), browserWith)

/** Signs in by a link. */
const browserWith = Effect.fnUntraced(function* (token: string) {
  const send = yield* Host
  const answer = yield* presentToken(token)
  const cookie = cookieOf(answer)
  return {
    cookie,
    session: yield* jsonOf(answer),
    /** Sends a request as the page does. */
    send: (path: string, init: RequestInit = {}) =>
      send(path, {
        ...init,
        headers: {
          cookie,
          ...ownHeaders,
          ...(init.body === undefined ? {} : { "content-type": "application/json" }),
          ...Object.fromEntries(new Headers(init.headers))
        }
      })
  }
})
