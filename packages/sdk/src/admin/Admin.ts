/** `@runhook/sdk/admin`: a client of the admin API, for operators' programs and for the Integrations page. */
import type { Call } from "../call/Answer.ts"
import { systemClock } from "../call/Clock.ts"
import type { List } from "../call/List.ts"
import type { ApiRequest } from "../call/Request.ts"
import { makeSend } from "../call/Send.ts"
import { type CallOptions, given, type RunhookOptions, settingsWith } from "../call/Settings.ts"
import type {
  Account as AccountItem,
  AccountDetail,
  CreateAccount,
  SecretKeysResealed
} from "../wire/Admin.ts"
import type { PageQuery } from "../wire/Integration.ts"
import { type Account, makeAccount } from "./Account.ts"
import { rootedAt } from "./Rooted.ts"
import { makeSession, type Session } from "./Sessions.ts"

export type { Account } from "./Account.ts"
export type { ChangesOptions } from "./Changes.ts"
export type { Answered, Call } from "../call/Answer.ts"
export type { List } from "../call/List.ts"
export type { LogEntry } from "../call/Log.ts"
export type { ApiRequest } from "../call/Request.ts"
export type { CallOptions, Limits, OutgoingRequest } from "../call/Settings.ts"
export * from "../Errors.ts"
export type { Account as AccountItem } from "../wire/Admin.ts"
export type * from "../wire/Admin.ts"
export type * from "../wire/Integration.ts"

export interface RunhookAdminOptions extends Omit<RunhookOptions, "apiKey"> {
  /** The operator's key; the environment variable `RUNHOOK_ADMIN_KEY` unless given. */
  readonly adminKey?: string | undefined
  /** In a page that the service itself serves: who is signed in there calls, and no key is sent. */
  readonly session?: boolean | undefined
}

/**
 * A client of the admin API, by the operator's key or by the session of
 * whoever is signed in to the page. Retries and rejects as `Runhook` does.
 *
 * ```ts
 * // RUNHOOK_BASE_URL and RUNHOOK_ADMIN_KEY; new RunhookAdmin({ baseUrl, adminKey }) takes others.
 * const admin = new RunhookAdmin()
 * const { id } = await admin.accounts.create({ name: "Meridian Freight" })
 * const { key, signing_secret } = await admin.account(id).keys.create({ name: "Warehouse ERP" })
 * ```
 */
export class RunhookAdmin {
  readonly accounts: {
    /** Makes an account, the owner of keys, agents, tasks and executions. */
    create(body: CreateAccount, options?: CallOptions): Call<AccountDetail>
    /** The accounts that the caller may see, newest first. */
    list(filter?: PageQuery, options?: CallOptions): List<AccountItem>
  }
  readonly secretKeys: {
    /** Seals every signing secret under the newest secret key of the service. */
    reseal(options?: CallOptions): Call<SecretKeysResealed>
  }
  /** Who is signed in to the Integrations page, in the browser that calls. */
  readonly session: Session
  /** What belongs to one account. Nothing is asked before the first call. */
  readonly account: (id: string) => Account
  /** Calls what has no method here, with the same retries and errors. The answer's type is yours to say. */
  readonly request: <A>(request: ApiRequest, options?: CallOptions) => Call<A>

  constructor({ adminKey, session = false, ...options }: RunhookAdminOptions = {}) {
    const apiKey = session ? null : given("adminKey", adminKey, "RUNHOOK_ADMIN_KEY")
    const send = makeSend(settingsWith(options, { api: "admin", apiKey }), systemClock)
    const { list, post, settle } = rootedAt("", send)
    this.accounts = {
      create: (body, callOptions) => post("/accounts", body, callOptions),
      list: (filter, callOptions) => list("/accounts", filter, callOptions)
    }
    this.secretKeys = {
      reseal: (callOptions) => settle("/secret-keys/reseal", undefined, callOptions)
    }
    this.session = makeSession(send)
    this.account = (id) => makeAccount(send, id)
    this.request = (request, callOptions) => send(request, callOptions)
  }
}
