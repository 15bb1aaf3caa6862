/** Faults that would let a key, a session or a URL do what it may not, or no longer may. */
import { type Fault, inStore } from "../Fault.ts"

export const access: ReadonlyArray<Fault> = [
  {
    name: "scope-agents",
    idea: "a key changes work of agents that it may not use",
    file: "packages/core/src/keys/KeyScope.ts",
    before: "isAmong(taskId, taskIds) && isAmong(agentId, agentIds)",
    after: "isAmong(taskId, taskIds)",
    test: inStore(
      "memory",
      "endpoints/SubscriptionSuite",
      "tells the endpoint of a key nothing that the key may not see"
    )
  },
  {
    name: "scope-changes",
    idea: "a key changes by id what is out of its scope",
    file: "packages/core/src/keys/KeyScope.ts",
    before: "(isInScope(scope, work) ? Result.void : Result.fail(new OutOfScope()))",
    after: "(isInScope(wholeAccount, { ...work, ...scope }) ? Result.void : Result.fail(new OutOfScope()))",
    test: {
      file: "packages/http/test/scope/OutOfScope.test.ts",
      title: "changes nothing about it by the integration API"
    }
  },
  {
    name: "endpoint-capability",
    idea: "an endpoint hears of executions although its key may not read them any more",
    file: "packages/core/src/endpoints/Subscription.ts",
    before: '["endpoints:manage", "executions:read"]',
    after: '["endpoints:manage"]',
    test: inStore(
      "pg",
      "endpoints/SubscriptionSuite",
      "tells the endpoint of a key only while the key may keep endpoints and see executions"
    )
  },
  {
    name: "removed-account-create",
    idea: "an execution is queued in an account that was removed",
    file: "packages/store-pg/src/functions/create_executions.sql",
    before: "THEN NULL ELSE 'removed' END",
    after: "THEN NULL ELSE NULL END",
    test: inStore("pg", "executions/ExecutionCreateSuite", "makes none in a removed account, in whatever way")
  },
  {
    name: "removed-account-keys",
    idea: "the keys of a removed account are remembered by the process that removed it",
    file: "packages/store-pg/src/accounts/CredentialCaches.ts",
    before: "caches.push(cached.forget)",
    after: "void cached.forget",
    test: inStore(
      "pg",
      "accounts/AccountRemovalSuite",
      "makes an account unknown, with its keys, sessions and links"
    )
  },
  {
    name: "removed-account-files",
    idea: "signed URLs of a removed account serve its files",
    file: "packages/artifacts/src/disk/FileGrant.ts",
    before: "(yield* isThere(nameInKey(accepted.key).accountId)) ? accepted : yield* new GrantRefused()",
    after:
      "(yield* isThere(nameInKey(accepted.key).accountId)) || accepted ? accepted : yield* new GrantRefused()",
    test: {
      file: "packages/http/test/documents/HostedFilesRoutes.test.ts",
      title: "are neither served nor taken once their account was removed"
    }
  },
  {
    name: "secret-of-another",
    idea: "a key sends the secret that another gave to where it likes, by a rerun with other params",
    file: "packages/core/src/executions/create/Origins.ts",
    before: 'actor.kind === "key" && givenBy !== actor.id)',
    after: 'actor.kind === "key" && givenBy === undefined)',
    test: {
      file: "packages/core/test/executions/params/SecretParams.test.ts",
      title: "are filled in for the key that gave them, for people"
    }
  },
  {
    name: "batch-of-account",
    idea: "the keys of an account together bring more items than the account may",
    file: "packages/http/src/limits/BatchRates.ts",
    before: "for (const { name, rate } of buckets) tokens.take(name, rate, begunAt, count)",
    after: "for (const { name, rate } of buckets.slice(1)) tokens.take(name, rate, begunAt, count)",
    test: {
      file: "packages/http/test/executions/CreateAllRates.test.ts",
      title: "is that of the account where its keys together bring more"
    }
  }
]
