/** The calls of the admin API outside of accounts. */
import type {
  Account,
  AccountDetail,
  CreateAccount,
  SecretKeysResealed,
  UpdateAccount
} from "../../wire/Admin.ts"
import type { PageQuery } from "../../wire/Integration.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { idempotentPost, list, patch, pathOf, post, remove } from "../Describe.ts"
import { alerts } from "../Alerts.ts"
import { session } from "./Sessions.ts"

const accounts = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes an account, the owner of keys, agents, tasks and executions.
   *
   * @example
   * ```ts
   * const { id } = await admin.accounts.create({ name: "Meridian Freight" })
   * ```
   */
  create: (body: CreateAccount, options?: T["options"]) =>
    client.call<AccountDetail>(post("/accounts", body, options)),

  /**
   * The accounts that the caller may see, newest first.
   *
   * @example
   * ```ts
   * for await (const { id, name } of admin.accounts.list()) console.log(id, name)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<Account>(list("/accounts", filter, options)),

  /**
   * Changes the name of an account, or the limits of all its keys together.
   *
   * @example
   * ```ts
   * await admin.accounts.update(id, { rate_limit: { per_second: 200, burst: 2_000 } })
   * ```
   */
  update: (id: string, body: UpdateAccount, options?: T["options"]) =>
    client.call<AccountDetail>(patch(pathOf`/accounts/${id}`, body, options)),

  /**
   * Removes an account with everything that it has, for good. Refused while an execution has not ended or a callback
   * is being delivered.
   *
   * @example
   * ```ts
   * await admin.accounts.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) => client.nothing(remove(pathOf`/accounts/${id}`, options))
})

const secretKeys = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Seals every signing secret under the newest secret key of the service.
   *
   * @example
   * ```ts
   * const { older_keys } = await admin.secretKeys.reseal()
   * ```
   */
  reseal: (options?: T["options"]) =>
    client.call<SecretKeysResealed>(idempotentPost("/secret-keys/reseal", undefined, options))
})

/** By noun. */
export interface ServiceCalls<T extends ClientTypes> {
  /** The owners of everything else. */
  readonly accounts: ReturnType<typeof accounts<T>>
  /** What is wrong in any account, and which of the operator's targets are told. */
  readonly alerts: ReturnType<typeof alerts<T>>
  /** The secret keys that seal the signing secrets. */
  readonly secretKeys: ReturnType<typeof secretKeys<T>>
  /** The session of the Integrations page in the calling browser. */
  readonly session: ReturnType<typeof session<T>>
}

export const service = <T extends ClientTypes>(client: AdminClient<T>): ServiceCalls<T> => ({
  accounts: accounts(client),
  alerts: alerts(client),
  secretKeys: secretKeys(client),
  session: session(client)
})
