/** Accounts and the keys that belong to them, and the operator's own keys. */
import { AccountId, ApiKeyId, RunnerKeyId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { account, forOperators, inAccount } from "../Audiences.ts"
import { DeclaredAccess } from "../Access.ts"
import { operation } from "../Call.ts"
import { Conflict } from "../Errors.ts"
import { TakesTurns } from "../Turns.ts"
import { optional, pageOf, pageQuery } from "../shared/Envelope.ts"
import {
  AccountChangeBody,
  AccountDetail,
  AccountItem,
  ApiKeyChangeBody,
  ApiKeyCreated,
  ApiKeyDetail,
  ApiKeyFacts,
  ApiKeyItem,
  KeyRotated,
  NewAccount,
  NewApiKeyBody,
  NewRunnerKeyBody,
  RotateKeyBody,
  RotateSigningSecretBody,
  RunnerKeyCreated,
  RunnerKeyItem,
  SigningSecretRotated
} from "../keys/KeyWire.ts"
import { SecretKeysResealed } from "../keys/SecretKeyWire.ts"

const key = { account_id: AccountId, key_id: ApiKeyId }

export class AccountEndpoints extends HttpApiGroup.make("accounts")
  .add(
    HttpApiEndpoint.post("create", "/accounts", {
      payload: NewAccount,
      success: AccountDetail.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      operation({
        summary: "Create an account",
        description: "Makes an account, the owner of keys, agents, tasks and executions.",
        example: 'const { id } = await admin.accounts.create({ name: "Meridian Freight" })'
      })
    ),
    HttpApiEndpoint.get("list", "/accounts", {
      query: pageQuery,
      success: pageOf("AccountPage", AccountItem)
    })
      .annotateMerge(
        operation({
          summary: "List accounts",
          description: "All accounts, newest first; for a session, its own.",
          example: "for await (const { id, name } of admin.accounts.list()) console.log(id, name)"
        })
      )
      .annotate(DeclaredAccess, "member"),
    HttpApiEndpoint.patch("update", "/accounts/:account_id", {
      params: account,
      payload: AccountChangeBody,
      success: AccountDetail
    })
      .annotateMerge(
        operation({
          summary: "Change an account",
          description:
            "Changes what the body names: the account's name, its limits, or how long its executions are kept. Lower limits hold for its keys at once, whatever those have; at other processes within 2 seconds. For operators.",
          example: "await admin.accounts.update(id, { rate_limit: { per_second: 200, burst: 2_000 } })"
        })
      )
      .annotate(DeclaredAccess, "operator"),
    HttpApiEndpoint.delete("remove", "/accounts/:account_id", {
      params: account,
      success: HttpApiSchema.NoContent,
      error: Conflict
    })
      .annotateMerge(
        operation({
          summary: "Remove an account",
          description:
            "Removes an account with everything that it has, for good. Within 2 seconds it is 404 everywhere, and its keys and sessions are 401; what it has is erased within hours, counts of usage and the audit log apart. Callbacks that wait are cancelled. 409 while an execution has not ended, with their `count`. For operators.",
          example: "await admin.accounts.remove(id)"
        })
      )
      .annotate(DeclaredAccess, "operator")
  )
  .annotate(OpenApi.Description, "The owners of keys, agents, tasks and executions.")
  .pipe(forOperators) {}

export class KeyEndpoints extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.post("create", "/keys", {
      params: account,
      payload: NewApiKeyBody,
      success: ApiKeyCreated.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      operation({
        summary: "Create a key",
        description:
          "Makes an integration key. The key and its signing secret are in this answer, and never shown again.",
        example: 'const { key, signing_secret } = await account.keys.create({ name: "Warehouse ERP" })'
      })
    ),
    HttpApiEndpoint.get("list", "/keys", {
      params: account,
      query: pageQuery,
      success: pageOf("KeyPage", ApiKeyItem)
    }).annotateMerge(
      operation({
        summary: "List keys",
        description: "The integration keys of the account, newest first, without their secrets.",
        example:
          "for await (const { name, last_used_at } of account.keys.list()) console.log(name, last_used_at)"
      })
    ),
    HttpApiEndpoint.get("get", "/keys/:key_id", { params: key, success: ApiKeyFacts })
      .annotateMerge(
        operation({
          summary: "Get a key",
          description: "One integration key, without its secrets.",
          example: "const { live_executions } = await account.keys.get(id)"
        })
      )
      .annotate(TakesTurns, true),
    HttpApiEndpoint.patch("update", "/keys/:key_id", {
      params: key,
      payload: ApiKeyChangeBody,
      success: ApiKeyDetail
    }).annotateMerge(
      operation({
        summary: "Change a key",
        description: "Changes what the body names: the key's name, scope, limits or expiry.",
        example: "await account.keys.update(id, { allowed_agent_ids: [agent_id] })"
      })
    ),
    HttpApiEndpoint.delete("revoke", "/keys/:key_id", {
      params: key,
      success: HttpApiSchema.NoContent
    }).annotateMerge(
      operation({
        summary: "Revoke a key",
        description: "Revokes a key for good. Executions that it has queued still run.",
        example: "await account.keys.revoke(id)"
      })
    ),
    HttpApiEndpoint.post("rotate", "/keys/:key_id/rotate", {
      params: key,
      payload: optional(RotateKeyBody),
      success: KeyRotated,
      error: Conflict
    }).annotateMerge(
      operation({
        summary: "Replace a key's secret",
        description:
          "Makes a new secret for the same key. The old one stays valid during the overlap. Only this answer has the new one.",
        example: "const { key } = await account.keys.rotate(id, { overlap_seconds: 3_600 })"
      })
    ),
    HttpApiEndpoint.post("rotateSigningSecret", "/keys/:key_id/signing-secret/rotate", {
      params: key,
      payload: RotateSigningSecretBody,
      success: SigningSecretRotated,
      error: Conflict
    }).annotateMerge(
      operation({
        summary: "Replace a signing secret",
        description:
          "Makes a new secret to sign callbacks with: at once, or staged, so that receivers can learn it first. Only this answer has the new one.",
        example: 'const { signing_secret } = await account.keys.rotateSigningSecret(id, { mode: "staged" })'
      })
    )
  )
  .annotate(OpenApi.Description, "The keys of integration callers.")
  .pipe(inAccount) {}

export class RunnerKeyEndpoints extends HttpApiGroup.make("runnerKeys")
  .add(
    HttpApiEndpoint.post("create", "/runner-keys", {
      params: account,
      payload: NewRunnerKeyBody,
      success: RunnerKeyCreated.pipe(HttpApiSchema.status(201))
    }).annotateMerge(
      operation({
        summary: "Create a runner key",
        description: "Makes a key for runners. It is in this answer, and never shown again.",
        example: 'const { key } = await account.runnerKeys.create({ name: "Fleet" })'
      })
    ),
    HttpApiEndpoint.get("list", "/runner-keys", {
      params: account,
      query: pageQuery,
      success: pageOf("RunnerKeyPage", RunnerKeyItem)
    }).annotateMerge(
      operation({
        summary: "List runner keys",
        description: "The runner keys of the account, newest first, without their secrets.",
        example: "for await (const { id, name } of account.runnerKeys.list()) console.log(id, name)"
      })
    ),
    HttpApiEndpoint.delete("revoke", "/runner-keys/:key_id", {
      params: { account_id: AccountId, key_id: RunnerKeyId },
      success: HttpApiSchema.NoContent
    }).annotateMerge(
      operation({
        summary: "Revoke a runner key",
        description: "Revokes a runner key for good. Runners that present it are refused from then on.",
        example: "await account.runnerKeys.revoke(id)"
      })
    )
  )
  .annotate(OpenApi.Description, "The keys of runners.")
  .pipe(inAccount) {}

/** The secret keys that the operator sets, under which everything is sealed. */
export class SecretKeyEndpoints extends HttpApiGroup.make("secretKeys")
  .add(
    HttpApiEndpoint.post("reseal", "/secret-keys/reseal", { success: SecretKeysResealed }).annotateMerge(
      operation({
        summary: "Seal everything under the newest secret key",
        description:
          "Opens every signing secret and seals it under the newest secret key. The answer says which older keys are no longer needed.",
        isRepeatable: true,
        example: "const { older_keys } = await admin.secretKeys.reseal()"
      })
    )
  )
  .annotate(OpenApi.Description, "The secret keys of the service.")
  .pipe(forOperators) {}
