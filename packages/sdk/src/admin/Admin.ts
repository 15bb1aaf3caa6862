/** `@runhook/sdk/admin`: a client of the admin API, for operators' programs and for the Integrations page. */
import { systemClock } from "../call/Clock.ts"
import { type CallOptions, given, type RunhookOptions, settingsWith } from "../call/Settings.ts"
import { type Call, readAny } from "../promise/Answer.ts"
import { makeSend } from "../promise/Send.ts"
import type { Promises } from "../promise/Types.ts"
import { service, type ServiceCalls } from "../requests/admin/Service.ts"
import type { ApiRequest } from "../requests/Request.ts"
import { type Account, makeAccount } from "./Account.ts"
import { clientBelow } from "./AdminClient.ts"

export type { Account } from "./Account.ts"
export type { ChangesOptions } from "./Changes.ts"
export type { LogEntry } from "../call/Log.ts"
export type { CallOptions, Limits, OutgoingRequest } from "../call/Settings.ts"
export * from "../Errors.ts"
export type { Answered, Call } from "../promise/Answer.ts"
export type { List } from "../promise/List.ts"
export { isFinished } from "../requests/Finished.ts"
export type { ApiRequest } from "../requests/Request.ts"
export type { Account as AccountItem } from "../wire/Admin.ts"
export type * from "../wire/Admin.ts"
export type * from "../wire/Integration.ts"
export * from "../wire/Rules.generated.ts"

export interface RunhookAdminOptions extends Omit<RunhookOptions, "apiKey"> {
  /** The operator's key; the environment variable `RUNHOOK_ADMIN_KEY` unless given. */
  readonly adminKey?: string | undefined
  /** In a page that the service itself serves: calls are made by the signed-in person, and no key is sent. */
  readonly session?: boolean | undefined
}

/**
 * A client of the admin API, by the operator's key or by the session of the
 * person who is signed in to the page. Retries and rejects as `Runhook` does.
 *
 * ```ts
 * // RUNHOOK_BASE_URL and RUNHOOK_ADMIN_KEY; new RunhookAdmin({ baseUrl, adminKey }) takes others.
 * const admin = new RunhookAdmin()
 * const { id } = await admin.accounts.create({ name: "Meridian Freight" })
 * const { key, signing_secret } = await admin.account(id).keys.create({ name: "Warehouse ERP" })
 * ```
 */
export class RunhookAdmin implements ServiceCalls<Promises> {
  /** The owners of everything else. */
  declare readonly accounts: ServiceCalls<Promises>["accounts"]
  /** What is wrong in any account, and which of the operator's targets are told. */
  declare readonly alerts: ServiceCalls<Promises>["alerts"]
  /** The secret keys that seal the signing secrets. */
  declare readonly secretKeys: ServiceCalls<Promises>["secretKeys"]
  /** The session of the Integrations page in the calling browser. */
  declare readonly session: ServiceCalls<Promises>["session"]
  /**
   * What belongs to one account. Nothing is asked before the first call.
   *
   * @example
   * ```ts
   * const account = admin.account(id)
   * ```
   */
  declare readonly account: (id: string) => Account
  /**
   * Calls what has no method here, with the same retries and errors. The answer's type is yours to say; it is null where there is no body.
   *
   * @example
   * ```ts
   * const document = await admin.request<object>({ method: "GET", path: "/openapi.json" })
   * ```
   */
  declare readonly request: <A>(request: ApiRequest, options?: CallOptions) => Call<A>

  constructor({ adminKey, session = false, ...options }: RunhookAdminOptions = {}) {
    const apiKey = session ? null : given("adminKey", adminKey, "RUNHOOK_ADMIN_KEY")
    const send = makeSend(settingsWith(options, { api: "admin", apiKey }), systemClock)
    const own: Pick<RunhookAdmin, "account" | "request"> = {
      account: (id) => makeAccount(send, id),
      request: <A>(request: ApiRequest, callOptions?: CallOptions) =>
        send({ ...request, options: callOptions }, readAny<A>)
    }
    Object.assign(this, service(clientBelow("", send)), own)
  }
}
