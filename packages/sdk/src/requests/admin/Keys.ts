/** The keys of integrations, and those of runners. */
import type {
  CreateKey,
  CreateRunnerKey,
  Key,
  KeyCreated,
  KeyDetail,
  KeyFacts,
  KeyRotated,
  RotateKey,
  RotateSigningSecret,
  RunnerKey,
  RunnerKeyCreated,
  SigningSecretRotated,
  UpdateKey
} from "../../wire/Admin.ts"
import type { PageQuery } from "../../wire/Integration.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { get, list, patch, pathOf, post, remove } from "../Describe.ts"

export const keys = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes a key. Its answer alone has the key and the signing secret.
   *
   * @example
   * ```ts
   * const { key, signing_secret } = await account.keys.create({ name: "Warehouse ERP" })
   * ```
   */
  create: (body: CreateKey, options?: T["options"]) => client.call<KeyCreated>(post("/keys", body, options)),

  /**
   * The keys of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { name, last_used_at } of account.keys.list()) console.log(name, last_used_at)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) => client.list<Key>(list("/keys", filter, options)),

  /**
   * One key, with its use and what depends on it.
   *
   * @example
   * ```ts
   * const { live_executions } = await account.keys.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) => client.call<KeyFacts>(get(pathOf`/keys/${id}`, options)),

  /**
   * Changes what the body names.
   *
   * @example
   * ```ts
   * await account.keys.update(id, { allowed_agent_ids: [agent_id] })
   * ```
   */
  update: (id: string, body: UpdateKey, options?: T["options"]) =>
    client.call<KeyDetail>(patch(pathOf`/keys/${id}`, body, options)),

  /**
   * Revokes a key for good. What it has queued still runs.
   *
   * @example
   * ```ts
   * await account.keys.revoke(id)
   * ```
   */
  revoke: (id: string, options?: T["options"]) => client.nothing(remove(pathOf`/keys/${id}`, options)),

  /**
   * Issues a new key in place of the old one, which stays valid for the overlap.
   *
   * @example
   * ```ts
   * const { key } = await account.keys.rotate(id, { overlap_seconds: 3_600 })
   * ```
   */
  rotate: (id: string, body?: RotateKey, options?: T["options"]) =>
    client.call<KeyRotated>(post(pathOf`/keys/${id}/rotate`, body, options)),

  /**
   * Rotates the secret that signs callbacks: at once, or staged so that receivers can be given it first.
   *
   * @example
   * ```ts
   * const { signing_secret } = await account.keys.rotateSigningSecret(id, { mode: "staged" })
   * ```
   */
  rotateSigningSecret: (id: string, body: RotateSigningSecret, options?: T["options"]) =>
    client.call<SigningSecretRotated>(post(pathOf`/keys/${id}/signing-secret/rotate`, body, options))
})

export const runnerKeys = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes a key for runner processes. Its answer alone has the key.
   *
   * @example
   * ```ts
   * const { key } = await account.runnerKeys.create({ name: "Fleet" })
   * ```
   */
  create: (body: CreateRunnerKey, options?: T["options"]) =>
    client.call<RunnerKeyCreated>(post("/runner-keys", body, options)),

  /**
   * The runner keys of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { id, name } of account.runnerKeys.list()) console.log(id, name)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<RunnerKey>(list("/runner-keys", filter, options)),

  /**
   * Revokes a runner key for good.
   *
   * @example
   * ```ts
   * await account.runnerKeys.revoke(id)
   * ```
   */
  revoke: (id: string, options?: T["options"]) => client.nothing(remove(pathOf`/runner-keys/${id}`, options))
})
