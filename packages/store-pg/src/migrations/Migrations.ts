/**
 * Every migration, by id. Ids only rise: one that is merged below an applied
 * id would be skipped in silence, so a test compares ids with the record.
 * The version of the application before must run on the schema after.
 */
import * as Migrator from "effect/sql/Migrator"
import * as ArtifactUsage from "./ArtifactUsage.ts"
import * as Audit from "./Audit.ts"
import * as Catalog from "./Catalog.ts"
import * as Causes from "./Causes.ts"
import * as Console from "./Console.ts"
import * as Deliveries from "./Deliveries.ts"
import * as DeliveryTurns from "./DeliveryTurns.ts"
import * as Dispatchers from "./Dispatchers.ts"
import * as Executions from "./Executions.ts"
import * as History from "./History.ts"
import * as LighterRows from "./LighterRows.ts"
import * as NeverStarted from "./NeverStarted.ts"
import * as Replaying from "./Replaying.ts"
import * as RetryBackoff from "./RetryBackoff.ts"
import * as SessionDrains from "./SessionDrains.ts"
import * as Sizes from "./Sizes.ts"
import * as Uploads from "./Uploads.ts"
import * as Usage from "./Usage.ts"
import * as WriteChecks from "./WriteChecks.ts"

export const migrations = {
  "0001_catalog": Catalog.create,
  "0002_executions": Executions.create,
  "0003_deliveries": Deliveries.create,
  "0004_sizes": Sizes.create,
  "0005_retry_backoff": RetryBackoff.create,
  "0006_artifact_usage": ArtifactUsage.create,
  "0007_uploads": Uploads.create,
  "0008_write_checks": WriteChecks.create,
  "0009_dispatchers": Dispatchers.create,
  "0010_delivery_turns": DeliveryTurns.create,
  "0011_replaying": Replaying.create,
  "0012_console": Console.create,
  "0013_causes": Causes.create,
  "0014_audit": Audit.create,
  "0015_usage": Usage.create,
  "0016_history": History.create,
  "0017_never_started": NeverStarted.create,
  "0018_session_drains": SessionDrains.create,
  "0019_lighter_rows": LighterRows.create
}

/** The table in which a database keeps what was applied to it. */
export const recordTable = "runhook_migrations"

/** Applies what is missing, in one transaction. Of any number of starters at once, one applies and the others wait for it. */
export const migrate = Migrator.make({})({
  loader: Migrator.fromRecord(migrations),
  table: recordTable
})
