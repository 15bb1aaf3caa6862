/** The audit log on the wire. */
import { ActorKind } from "@runhook/core/audit/Actor"
import { AuditSubjectKind } from "@runhook/core/audit/AuditEntry"
import { AnyId, AuditEntryId, PersonId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { isStorableText } from "@runhook/core/shared/json/JsonText"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { pageOf, pageQuery } from "../shared/Envelope.ts"

const AuditActor = Schema.Struct({
  kind: ActorKind.pipe(
    described(
      "operator: an admin key; member: a person signed in to the account; key: an integration key; service: the service itself."
    )
  ),
  id: Schema.NullOr(AnyId).pipe(described("Of the key or the session; null for operators and the service.")),
  person: Schema.NullOr(PersonId).pipe(
    described("Of a member: the same for all sessions of one person, whatever they are called.")
  ),
  name: Schema.String
}).annotate({ identifier: "AuditActor", description: "The actor, by its name at that time." })

const AuditSubject = Schema.Struct({
  kind: Schema.String.pipe(described("Such as key, agent or replay.")),
  id: AnyId,
  name: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AuditSubject", description: "The subject, by its name at that time." })

export const AuditItem = Schema.Struct({
  id: AuditEntryId,
  at: Timestamp,
  actor: AuditActor,
  from_address: Schema.NullOr(Schema.String).pipe(described("Null when no request asked for it.")),
  action: Schema.String.pipe(described("Such as key.revoked; docs/operating/audit.md names all.")),
  subject: AuditSubject,
  before: Schema.NullOr(KnownJsonObject).pipe(
    described("For a change, what differed; null if there was nothing before.")
  ),
  after: Schema.NullOr(KnownJsonObject).pipe(
    described("For a change, the same fields; null if there is nothing any more.")
  ),
  request_id: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AuditEntry", description: "One change, without secrets." })

export const AuditPage = pageOf("AuditPage", AuditItem)

export const auditFilter = {
  q: Schema.optionalKey(Schema.String.check(Schema.isBetweenCodePoints(1, 200), isStorableText)).pipe(
    described(
      "A part of the action, or of the actor's or subject's name; or the id of the actor, their person, the subject or the request."
    )
  ),
  kind: Schema.optionalKey(AuditSubjectKind).pipe(described("What was changed.")),
  actor: Schema.optionalKey(Schema.String.check(Schema.isBetweenCodePoints(1, 200), isStorableText)).pipe(
    described("The actor: operator, member, key, service, or an id, a person or a whole name.")
  ),
  subject_id: Schema.optionalKey(AnyId).pipe(described("The id of what was changed.")),
  from: Schema.optionalKey(Timestamp).pipe(described("Made at or after.")),
  to: Schema.optionalKey(Timestamp).pipe(described("Made at or before."))
}

export const auditQuery = { ...auditFilter, ...pageQuery }

/** Comma-separated values after RFC 4180, in UTF-8. */
export const AuditCsv = Schema.String.pipe(
  described(
    "All matching entries, one per line after a header line; `limit` bounds them only if it is given."
  ),
  HttpApiSchema.asText({ contentType: "text/csv" })
)
