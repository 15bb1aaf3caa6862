/** What use cases tell the audit log, and on whose behalf. */
import type * as Effect from "effect/Effect"
import { CurrentActor, isAdministrator } from "./Actor.ts"
import { type Audit, auditBy, type AuditEvent } from "./AuditEntry.ts"

type Tell<Seen extends ReadonlyArray<unknown>> = (...seen: Seen) => AuditEvent | undefined

/** Records a change by any actor. */
export const audited = <Seen extends ReadonlyArray<unknown>>(
  tell: Tell<Seen>
): Effect.Effect<Audit<Seen>, never, CurrentActor> => CurrentActor.useSync((actor) => auditBy(actor, tell))

/** Records a change by people who look after an account, and not what keys do in their daily work. */
export const intervention = <Seen extends ReadonlyArray<unknown>>(
  tell: Tell<Seen>
): Effect.Effect<Audit<Seen> | undefined, never, CurrentActor> =>
  CurrentActor.useSync((actor) => (isAdministrator(actor) ? auditBy(actor, tell) : undefined))
