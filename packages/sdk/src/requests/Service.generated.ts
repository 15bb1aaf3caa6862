/** The calls of the admin API outside of accounts. Generated from the contract by `npm run generate`: do not edit. */
import type {
  AlertList,
  AlertTargetCreated,
  AlertTargetDetail,
  AlertTargetList,
  AlertTargetTested,
  CreateAlertTarget,
  PageQuery,
  UpdateAlertTarget
} from "../wire/Integration.ts"
import type {
  Account,
  AccountDetail,
  CreateAccount,
  SecretKeysResealed,
  SessionDetail,
  SignIn,
  SignInWays,
  UpdateAccount
} from "../wire/Admin.ts"
import type { AdminClient, ClientTypes } from "./Client.ts"
import { get, idempotentPost, list, patch, pathOf, post, remove } from "./Describe.ts"

export const accounts = <T extends ClientTypes>(client: AdminClient<T>) => ({
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
   * All accounts, newest first; for a session, its own.
   *
   * @example
   * ```ts
   * for await (const { id, name } of admin.accounts.list()) console.log(id, name)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<Account>(list("/accounts", filter, options)),

  /**
   * Changes what the body names: the account's name, its limits, or how long its executions are kept. Lower limits
   * hold for its keys at once, whatever those have; at other processes within 2 seconds. For operators.
   *
   * @example
   * ```ts
   * await admin.accounts.update(id, { rate_limit: { per_second: 200, burst: 2_000 } })
   * ```
   */
  update: (id: string, body: UpdateAccount, options?: T["options"]) =>
    client.call<AccountDetail>(patch(pathOf`/accounts/${id}`, body, options)),

  /**
   * Removes an account with everything that it has, for good. Within 2 seconds it is 404 everywhere, and its keys and
   * sessions are 401; what it has is erased within hours, counts of usage and the audit log apart. Callbacks that
   * wait are cancelled. 409 while an execution has not ended, with their `count`. For operators.
   *
   * @example
   * ```ts
   * await admin.accounts.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/accounts/${id}`, options))
})

export const alerts = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * What is wrong in any account, and what was in the last days.
   *
   * @example
   * ```ts
   * for (const { title, closed_at } of (await admin.alerts.list()).data) console.log(title, closed_at ?? "open")
   * ```
   */
  list: (options?: T["options"]) =>
    client.call<AlertList>(get("/alerts", options))
})

export const alertTargets = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The webhooks and mailboxes that are told of alerts in any account, oldest first.
   *
   * @example
   * ```ts
   * const { data } = await admin.alerts.targets.list()
   * ```
   */
  list: (options?: T["options"]) =>
    client.call<AlertTargetList>(get("/alert-targets", options)),

  /**
   * Adds a webhook or a mailbox that is told of alerts in any account, at most 10. Only this answer has the signing
   * secret.
   *
   * @example
   * ```ts
   * const { id } = await admin.alerts.targets.create({ channel: "email", address: "ops@example.com" })
   * ```
   */
  create: (body: CreateAlertTarget, options?: T["options"]) =>
    client.call<AlertTargetCreated>(post("/alert-targets", body, options)),

  /**
   * A target, and whether it took the last message.
   *
   * @example
   * ```ts
   * const { last_error } = await admin.alerts.targets.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<AlertTargetDetail>(get(pathOf`/alert-targets/${id}`, options)),

  /**
   * Chooses which alerts it gets, or pauses it. For another address or a new signing secret, add a new target and
   * remove this one.
   *
   * @example
   * ```ts
   * await admin.alerts.targets.update(id, { paused_until: "2026-03-07T18:00:00Z" })
   * ```
   */
  update: (id: string, body: UpdateAlertTarget, options?: T["options"]) =>
    client.call<AlertTargetDetail>(patch(pathOf`/alert-targets/${id}`, body, options)),

  /**
   * Removes it: no further alerts are sent to it.
   *
   * @example
   * ```ts
   * await admin.alerts.targets.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/alert-targets/${id}`, options)),

  /**
   * Sends a message now, also during a pause, and answers whether it was taken: at most 20 in an hour, 5 to one
   * mailbox.
   *
   * @example
   * ```ts
   * const { taken, error } = await admin.alerts.targets.test(id)
   * ```
   */
  test: (id: string, options?: T["options"]) =>
    client.call<AlertTargetTested>(post(pathOf`/alert-targets/${id}/test`, undefined, options))
})

export const secretKeys = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Opens every signing secret and seals it under the newest secret key. The answer says which older keys are no
   * longer needed.
   *
   * @example
   * ```ts
   * const { older_keys } = await admin.secretKeys.reseal()
   * ```
   */
  reseal: (options?: T["options"]) =>
    client.call<SecretKeysResealed>(idempotentPost("/secret-keys/reseal", undefined, options))
})

export const session = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The ways of signing in that the service has. This call needs no key.
   *
   * @example
   * ```ts
   * const { oidc } = await admin.session.ways()
   * ```
   */
  ways: (options?: T["options"]) =>
    client.call<SignInWays>(get("/sign-in", options)),

  /**
   * Uses up a link, and answers with the cookie of a session. A person who is already signed in by another link then
   * has the accounts of both. This call needs no key; a used or expired link answers 401.
   *
   * @example
   * ```ts
   * const { accounts } = await admin.session.begin({ token: location.hash.slice(1) })
   * ```
   */
  begin: (body: SignIn, options?: T["options"]) =>
    client.call<SessionDetail>(post("/session", body, options)),

  /**
   * The sessions of the cookie as one, with its accounts and the roles in them. A key has none: 401.
   *
   * @example
   * ```ts
   * const { name, accounts } = await admin.session.get()
   * ```
   */
  get: (options?: T["options"]) =>
    client.call<SessionDetail>(get("/session", options)),

  /**
   * Ends the sessions of the cookie and those that began with their links, and withdraws those links. With
   * `everywhere=true`, all sessions of the same person; a person whom a member let in ends only their own, none of
   * that member's.
   *
   * @example
   * ```ts
   * await admin.session.end({ everywhere: true })
   * ```
   */
  end: (query: { readonly everywhere?: boolean | undefined } = {}, options?: T["options"]) =>
    client.nothing({ ...remove("/session", options), query })
})
