/**
 * The one table from errors of the domain to errors of the API. An error that is
 * not in it cannot be passed to `toApiError`, and an endpoint must declare what the
 * table gives: a handler that forgets either does not compile.
 */
import * as Api from "@runhook/contract/Errors"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import type { Json } from "@runhook/core/shared/json/Json"
import type { IdempotencyConflict, InvalidField } from "@runhook/core/shared/Refusals"
import type { TargetRefused } from "@runhook/core/shared/target/TargetRefused"
import type { FileMissing } from "@runhook/core/artifacts/ArtifactStorage"
import type { JobKeyConflict, JobLimitReached } from "@runhook/core/cancels/CancelStore"
import type { InvalidParams, InvalidSchema } from "@runhook/core/executions/params/ParamsValidator"
import type { KeyUnusable, ScheduleRefusal } from "@runhook/core/schedules/ScheduleRefusals"
import * as Effect from "effect/Effect"
import {
  because,
  conflict,
  fieldRule,
  forbidden,
  limitOf,
  namedBy,
  notFound,
  queryRule,
  told,
  tooMany,
  unauthorized,
  unprocessable
} from "./ErrorRows.ts"

const issuesOf = ({ issues }: InvalidParams | InvalidSchema): Json => issues.map((issue) => ({ ...issue }))
const scopeDetails = because("scope_violation", "field")
const capabilityDetails = because("missing_capability", "capability")
const keyDetails = ({ reason: state }: KeyUnusable) => ({ reason: "key_unusable", state })

const rows = {
  AccountNotFound: notFound,
  AgentNotFound: notFound,
  AlertTargetNotFound: notFound,
  EndpointNotFound: notFound,
  ApiKeyNotFound: notFound,
  ArtifactNotFound: notFound,
  PersonSessionNotFound: notFound,
  DeliveryNotFound: notFound,
  ExecutionNotFound: notFound,
  InputNotFound: notFound,
  LinkNotFound: notFound,
  JobNotFound: notFound,
  ReplayNotFound: notFound,
  RunnerKeyNotFound: notFound,
  ScheduleNotFound: notFound,
  SessionNotFound: notFound,
  TagNotFound: notFound,
  TaskNotFound: notFound,
  VersionNotFound: notFound,

  FileMissing: ({ message }: FileMissing, request_id: string) =>
    new Api.NotFound({
      error: { code: "not_found", message, details: { reason: "file_missing" }, request_id }
    }),

  AccountInUse: conflict(because("unfinished_executions", "count")),
  AgentInUse: conflict(because("agent_in_use")),
  AlreadyFinished: conflict(because("already_finished", "status")),
  ApiKeyRevoked: conflict(because("revoked")),
  DeliveryNotSettled: conflict(because("not_settled", "state")),
  DeliveryNotWaiting: conflict(told("reason", "state")),
  EndpointGone: conflict(because("endpoint_gone")),
  ExecutionNotEnded: conflict(because("not_ended", "status")),
  IdempotencyConflict: conflict(
    ({ executionId }: IdempotencyConflict) => ({ reason: "payload_mismatch", execution_id: executionId }),
    "idempotency_conflict"
  ),
  IllegalTransition: conflict(because("illegal_transition", "from", "to")),
  InputClosed: conflict(told("reason")),
  JobKeyConflict: conflict(
    ({ id }: JobKeyConflict) => ({ reason: "payload_mismatch", job_id: id }),
    "idempotency_conflict"
  ),
  LeaseLost: conflict(because("lease_lost", "status", "epoch")),
  NoSeatLeft: conflict(limitOf("concurrency_key", "current"), "concurrency_limit_reached"),
  NotPolled: conflict(because("not_polled")),
  NotRemovable: conflict(told("reason")),
  NotWaiting: conflict(because("not_waiting", "status")),
  ScheduleBusy: conflict(because("overlap")),
  SigningSecretMissing: conflict(because("no_signing_secret")),
  SlugTaken: conflict(because("slug_taken")),

  AgentDisabled: namedBy("agent_disabled", "agent_id"),
  AlertTargetLimitReached: unprocessable(because("target_limit_reached", "limit")),
  ArtifactLimitReached: unprocessable(because("artifact_limit_reached", "limit")),
  ArtifactQuotaReached: unprocessable(because("artifact_quota", "limit", "used")),
  EndpointLimitReached: unprocessable(because("endpoint_limit_reached", "limit")),
  InvalidField: fieldRule<InvalidField>(({ path, rule }) => ({ path, message: rule })),
  InvalidParams: unprocessable(issuesOf, "invalid_params"),
  InvalidQuery: queryRule,
  InvalidSchema: unprocessable(issuesOf, "invalid_params"),
  ScheduleLimitReached: unprocessable(because("schedule_limit_reached", "limit")),
  TargetRefused: fieldRule<TargetRefused>(({ message }) => ({ path: ["callback_url"], message })),
  TaskDisabled: namedBy("task_disabled", "task_id"),
  UploadMismatch: unprocessable(told("reason")),

  AboveAccountLimit: forbidden(because("above_account_limit", "field", "limit")),
  CrossSiteRequest: forbidden(because("cross_site")),
  KeyUnusable: forbidden(keyDetails),
  MissingCapability: forbidden(capabilityDetails),
  OutOfScope: forbidden(because("scope")),
  RoleTooLow: forbidden(because("role", "required")),
  ScopeViolation: forbidden(scopeDetails),

  AlertTooSoon: tooMany(because("too_soon")),
  ConcurrencyLimitReached: tooMany(told("scope", "limit"), "concurrency_limit_reached"),
  JobLimitReached: tooMany(
    ({ limit, running }: JobLimitReached) => ({ scope: "jobs", limit, job_ids: running }),
    "concurrency_limit_reached"
  ),
  LinkLimitReached: tooMany(limitOf("person"), "concurrency_limit_reached"),
  SessionLimitReached: tooMany(limitOf("runner_key"), "concurrency_limit_reached"),
  TooManyChecks: tooMany(because("too_many_checks", "limit")),
  TooManyFollowers: tooMany(because("too_many_followers", "scope", "limit")),

  LinkUnusable: unauthorized({ reason: "link_unusable" }),
  SignedOut: unauthorized({ reason: "signed_out" }),
  Unauthorized: unauthorized(null)
}

type Rows = typeof rows
type Tag = keyof Rows
type Tagged = { readonly [T in Tag]: Parameters<Rows[T]>[0] & { readonly _tag: T } }

/** An error that has a row. */
export type DomainError = Tagged[Tag]

type Answered = { readonly [T in Tag]: unknown }
type Table<Answers extends Answered> = {
  readonly [T in Tag]: (error: Tagged[T], request_id: string) => Answers[T]
}
type AnswersOf<Of extends Table<Answered>> = { readonly [T in Tag]: ReturnType<Of[T]> }

/** A create names things in its body, so a missing thing breaks a rule of that body. */
const rowsOfCreate = {
  ...rows,
  ApiKeyNotFound: namedBy("key_not_found", "key_id"),
  AgentNotFound: namedBy("agent_not_found", "agent_id"),
  TaskNotFound: namedBy("task_not_found", "task_id"),
  VersionNotFound: unprocessable(because("version_not_found")),
  KeyUnusable: unprocessable(keyDetails, "forbidden"),
  MissingCapability: unprocessable(capabilityDetails, "forbidden"),
  ScopeViolation: unprocessable(scopeDetails, "forbidden")
}

/** Turns the errors of the effect into the API's, each into the class of its row. */
interface ToApiError<Answers extends Answered> {
  <A, E extends DomainError, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, Answers[E["_tag"]], R>
}

const combinator = <Answers extends Answered>(table: Table<Answers>): ToApiError<Answers> => {
  const answerOf = <T extends Tag>(tag: T, error: Tagged[T], requestId: string): Answers[T] =>
    table[tag](error, requestId)

  function translate<A, E extends DomainError, R>(
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, Answers[E["_tag"]], R>
  function translate<A, R>(effect: Effect.Effect<A, DomainError, R>): Effect.Effect<A, Answers[Tag], R> {
    return effect.pipe(
      Effect.catch((error) =>
        Effect.flatMap(CurrentRequestId, (requestId) => Effect.fail(answerOf(error._tag, error, requestId)))
      )
    )
  }
  return translate
}

/** For all endpoints except those that create executions. */
export const toApiError = combinator<AnswersOf<typeof rows>>(rows)

/** For endpoints that create executions: everything that the body names wrongly is 422. */
export const toCreateError = combinator<AnswersOf<typeof rowsOfCreate>>(rowsOfCreate)

const created: Table<AnswersOf<typeof rowsOfCreate>> = rowsOfCreate

/** Any id: what is told of it later has none. */
const noRequest = "req_none"

const answerToCreate = <T extends Tag>(tag: T, error: Tagged[T]) => created[tag](error, noRequest)

/** What a create would have been answered that was refused when it was due. */
export const refusedCreate = (refusal: ScheduleRefusal) => {
  const { code, details, message } = answerToCreate(refusal._tag, refusal).error
  return { code, message, details }
}
