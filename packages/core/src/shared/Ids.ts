/**
 * The ids of the product: UUIDv7, made by the application, so an id carries its
 * moment of creation and ids sort by it. Upper-case input is lowered on entry; the
 * service shows only lower case.
 */
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

/** Any UUID version and variant: an id that the service never made is well-formed, and unknown. */
const form = /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/u

const uuid = Schema.String.check(
  Schema.isPattern(form, {
    expected: "a UUID",
    toJsonSchema: () => ({ pattern: form.source, format: "uuid" })
  })
).pipe(Schema.decode(SchemaTransformation.toLowerCase()))

/** The id of a thing whose kind is named beside it. */
export const AnyId = uuid

export const AccountId = uuid.pipe(Schema.brand("AccountId"))
export type AccountId = typeof AccountId.Type

/** Names a thing of an account. */
export interface InAccount<Id extends string> {
  readonly accountId: AccountId
  readonly id: Id
}

export const ApiKeyId = uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

export const RunnerKeyId = uuid.pipe(Schema.brand("RunnerKeyId"))
export type RunnerKeyId = typeof RunnerKeyId.Type

export const SigningSecretId = uuid.pipe(Schema.brand("SigningSecretId"))
export type SigningSecretId = typeof SigningSecretId.Type

export const AgentId = uuid.pipe(Schema.brand("AgentId"))
export type AgentId = typeof AgentId.Type

export const TaskId = uuid.pipe(Schema.brand("TaskId"))
export type TaskId = typeof TaskId.Type

export const TaskVersionId = uuid.pipe(Schema.brand("TaskVersionId"))
export type TaskVersionId = typeof TaskVersionId.Type

export const PlatformId = uuid.pipe(Schema.brand("PlatformId"))
export type PlatformId = typeof PlatformId.Type

export const ExecutionId = uuid.pipe(Schema.brand("ExecutionId"))
export type ExecutionId = typeof ExecutionId.Type

export const InputId = uuid.pipe(Schema.brand("InputId"))
export type InputId = typeof InputId.Type

export const ArtifactId = uuid.pipe(Schema.brand("ArtifactId"))
export type ArtifactId = typeof ArtifactId.Type

export const SessionId = uuid.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** Names a link that signs a person in to the Integrations page, once. */
export const SignInLinkId = uuid.pipe(Schema.brand("SignInLinkId"))
export type SignInLinkId = typeof SignInLinkId.Type

/** Names a session of a person on the Integrations page, in one account and one browser. */
export const PersonSessionId = uuid.pipe(Schema.brand("PersonSessionId"))
export type PersonSessionId = typeof PersonSessionId.Type

/**
 * Names a person who signs in: a subject of the operator's provider, or the user of
 * an operator's link together with everybody they let in by links of their own.
 */
export const PersonId = uuid.pipe(Schema.brand("PersonId"))
export type PersonId = typeof PersonId.Type

/** Names a webhook event and its one delivery: `event_id`, `X-Webhook-Event-Id` and the delivery's id are the same value. */
export const EventId = uuid.pipe(Schema.brand("EventId"))
export type EventId = typeof EventId.Type

/** Names a dispatcher for as long as it runs. What it has claimed carries this id. */
export const DispatcherId = uuid.pipe(Schema.brand("DispatcherId"))
export type DispatcherId = typeof DispatcherId.Type

/** Names a standing webhook endpoint. */
export const EndpointId = uuid.pipe(Schema.brand("EndpointId"))
export type EndpointId = typeof EndpointId.Type

export const ReplayId = uuid.pipe(Schema.brand("ReplayId"))
export type ReplayId = typeof ReplayId.Type

/** Names a job that cancels executions. */
export const JobId = uuid.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

export const ScheduleId = uuid.pipe(Schema.brand("ScheduleId"))
export type ScheduleId = typeof ScheduleId.Type

/** Names a mailbox or URL that alerts are sent to. */
export const AlertTargetId = uuid.pipe(Schema.brand("AlertTargetId"))
export type AlertTargetId = typeof AlertTargetId.Type

export const AuditEntryId = uuid.pipe(Schema.brand("AuditEntryId"))
export type AuditEntryId = typeof AuditEntryId.Type

/**
 * Makes ids of one kind: `const id = yield* newId(ExecutionId)`. Ids made by
 * one process rise strictly, also within a millisecond.
 */
export const newId = <Id extends string>(kind: {
  make(value: string): Id
}): Effect.Effect<Id, never, SecureRandom> => Effect.flatMap(makeIds, (make) => make(kind))

/** Makes ids as `newId` does, for services that take what they need once, when they are built. */
export const makeIds = Effect.map(
  SecureRandom,
  (random) =>
    <Id extends string>(kind: { make(value: string): Id }): Effect.Effect<Id> =>
      Effect.map(random.uuidV7(), (value) => kind.make(value))
)

/** The moment an id was made: the millisecond in the first 48 bits of a UUIDv7. */
export const instantOf = (id: string): DateTime.Utc =>
  DateTime.makeUnsafe(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

/**
 * A bound for ids: those made at the instant or later are equal to or above it,
 * those made before are below it.
 */
export const lowestIdAt = (at: DateTime.Utc): string => {
  // No id carries a moment before 1970.
  const millis = Math.max(0, at.epochMilliseconds).toString(16).padStart(12, "0")
  return `${millis.slice(0, 8)}-${millis.slice(8)}-0000-0000-000000000000`
}
