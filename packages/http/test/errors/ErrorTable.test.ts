import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Api from "@runhook/contract/Errors"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { AgentId, ArtifactId, ExecutionId, TaskId } from "@runhook/core/shared/Ids"
import {
  ConcurrencyLimitReached,
  ExecutionNotFound,
  IdempotencyConflict,
  InvalidField,
  MissingCapability,
  ScopeViolation
} from "@runhook/core/shared/Refusals"
import { LeaseLost } from "@runhook/core/runs/Lease"
import { TargetRefused } from "@runhook/core/shared/target/TargetRefused"
import { AgentNotFound } from "@runhook/core/catalog/AgentStore"
import { ArtifactNotFound } from "@runhook/core/artifacts/ArtifactStore"
import { InvalidParams, TooManyChecks } from "@runhook/core/executions/params/ParamsValidator"
import { TaskNotFound, VersionNotFound } from "@runhook/core/catalog/TaskStore"
import * as Effect from "effect/Effect"
import { type DomainError, toApiError, toCreateError } from "../../src/errors/ErrorTable.ts"
import { id } from "../Hosts.ts"

const executionId = ExecutionId.make(id)
const issue = { path: "/email", keyword: "format", message: "must be an email" }

const answerOf = (error: DomainError) =>
  Effect.fail(error).pipe(toApiError, Effect.flip, Effect.provideService(CurrentRequestId, "req_1"))

const createAnswerOf = (error: DomainError) =>
  Effect.fail(error).pipe(toCreateError, Effect.flip, Effect.provideService(CurrentRequestId, "req_1"))

describe("the table of errors", () => {
  it.effect.each([
    {
      error: new LeaseLost({ id: executionId, status: "cancelled", epoch: 4 }),
      Answer: Api.Conflict,
      shown: { code: "invalid_request", details: { reason: "lease_lost", status: "cancelled", epoch: 4 } }
    },
    {
      error: new IdempotencyConflict({ executionId }),
      Answer: Api.Conflict,
      shown: { code: "idempotency_conflict", details: { reason: "payload_mismatch", execution_id: id } }
    },
    {
      error: new ConcurrencyLimitReached({ scope: "key", limit: 3 }),
      Answer: Api.TooManyRequests,
      shown: { code: "concurrency_limit_reached", details: { scope: "key", limit: 3 } }
    },
    {
      error: new TooManyChecks({ limit: 200 }),
      Answer: Api.TooManyRequests,
      shown: { code: "rate_limited", details: { reason: "too_many_checks", limit: 200 } }
    },
    {
      error: new InvalidParams({ issues: [issue], what: "params" }),
      Answer: Api.Unprocessable,
      shown: {
        code: "invalid_params",
        message: `The params do not satisfy their schema: ${issue.path} ${issue.message}`,
        details: [issue]
      }
    },
    {
      error: new InvalidParams({ issues: [issue], what: "result" }),
      Answer: Api.Unprocessable,
      shown: {
        code: "invalid_params",
        message: `The result does not satisfy its schema: ${issue.path} ${issue.message}`,
        details: [issue]
      }
    },
    {
      error: new TargetRefused({ rule: "scheme" }),
      Answer: Api.Unprocessable,
      shown: {
        code: "invalid_request",
        message: "body.callback_url: The URL must use https or http"
      }
    },
    {
      error: new InvalidField({ path: ["expires_at"], rule: "must be in the future" }),
      Answer: Api.Unprocessable,
      shown: { code: "invalid_request", message: "body.expires_at: must be in the future" }
    },
    {
      error: new ScopeViolation({ field: "task_id", id }),
      Answer: Api.Forbidden,
      shown: { code: "forbidden", details: { reason: "scope_violation", field: "task_id" } }
    },
    {
      error: new VersionNotFound({ selector: "tag stable" }),
      Answer: Api.NotFound,
      shown: { code: "not_found", details: null }
    }
  ])("gives $error._tag its answer", ({ Answer, error, shown }) =>
    Effect.gen(function* () {
      const answer = yield* answerOf(error)

      assert.isTrue(answer instanceof Answer)
      assert.deepInclude<object>(answer.error, { ...shown, request_id: "req_1" })
    })
  )

  it.effect("answers everything that is not there alike", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(
        [
          new ExecutionNotFound({ id: executionId }),
          new ArtifactNotFound({ executionId, id: ArtifactId.make(id) }),
          new TaskNotFound({ id: TaskId.make(id) })
        ],
        answerOf
      )

      assert.lengthOf(new Set(answers.map(({ error }) => JSON.stringify(error))), 1)
    })
  )

  it.effect.each([
    {
      error: new AgentNotFound({ id: AgentId.make(id) }),
      code: "invalid_request",
      reason: "agent_not_found",
      field: "agent_id"
    },
    {
      error: new TaskNotFound({ id: TaskId.make(id) }),
      code: "invalid_request",
      reason: "task_not_found",
      field: "task_id"
    },
    {
      error: new VersionNotFound({ selector: "version 3" }),
      code: "invalid_request",
      reason: "version_not_found"
    },
    { error: new ScopeViolation({ field: "agent_id", id }), code: "forbidden", reason: "scope_violation" },
    {
      error: new MissingCapability({ capability: "executions:write" }),
      code: "forbidden",
      reason: "missing_capability"
    }
  ])("answers $error._tag with 422 when something is created", ({ code, error, field, reason }) =>
    Effect.gen(function* () {
      const answer = yield* createAnswerOf(error)

      assert.instanceOf(answer, Api.Unprocessable)
      assert.strictEqual(answer.error.code, code)
      assert.deepNestedInclude(answer.error, { "details.reason": reason })
      if (field !== undefined) {
        assert.deepNestedInclude(answer.error, {
          message: `body.${field}: ${error.message}`,
          "details.field": field
        })
      }
    })
  )

  it("has a row for every error of the core that an API can meet", () => {
    const rows = new Set(
      namesIn(new URL("../../src/errors/ErrorTable.ts", import.meta.url), /^ {2}(\w+): /gm)
    )
    const sources = readdirSync(core, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts")
    )
    const errors = sources.flatMap((file) => namesIn(new URL(file, core), /Schema\.TaggedError<(\w+)>/g))

    const forgotten = errors.filter((name) => !rows.has(name) && !metElsewhere.has(name))

    assert.isAbove(errors.length, 30)
    assert.deepStrictEqual(forgotten, [])
  })
})

const core = new URL("../../../core/src/", import.meta.url)

const namesIn = (file: URL, pattern: RegExp): ReadonlyArray<string> =>
  [...readFileSync(file, "utf8").matchAll(pattern)].flatMap(([, name]) => name ?? [])

/** Errors of settings and of signing, two defects, and those of hosted files and of a provider of sign-in, which are met beside the APIs. */
const metElsewhere: ReadonlySet<string> = new Set([
  "FileMissing",
  "GrantRefused",
  "StorageFull",
  "StorageUnavailable",
  "KeyRingInvalid",
  "NoAccount",
  "RangeUnsatisfiable",
  "SealBroken",
  "SignInFailed",
  "SigningSecretInvalid",
  "StoreUnavailable",
  "TargetPolicyInvalid",
  "TokenRejected",
  "WebhookRejected"
])
