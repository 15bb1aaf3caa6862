/** Why the private PostgreSQL cannot run, each in one line that tells an operator what to repair. */
import * as Schema from "effect/Schema"

/** The folder cannot hold the database. Nothing in it was changed. */
export class FolderUnusable extends Schema.TaggedError<FolderUnusable>()("FolderUnusable", {
  directory: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The database cannot be kept in ${this.directory}: ${this.reason}`
  }
}

/** Another process uses the folder. */
export class FolderInUse extends Schema.TaggedError<FolderInUse>()("FolderInUse", {
  directory: Schema.String
}) {
  override get message() {
    return `The database in ${this.directory} is in use by another process: stop that one, or choose another folder`
  }
}

/** The folder was made by another major version of PostgreSQL. Nothing in it was changed. */
export class VersionMismatch extends Schema.TaggedError<VersionMismatch>()("VersionMismatch", {
  directory: Schema.String,
  found: Schema.Int,
  carried: Schema.Int
}) {
  override get message() {
    const made = `The database in ${this.directory} was made by PostgreSQL ${this.found}`
    return this.found > this.carried
      ? `${made}, and PostgreSQL ${this.carried} is installed here: start a newer version`
      : `${made}, and PostgreSQL ${this.carried} is installed here: upgrade it with pg_upgrade of PostgreSQL ` +
          `${this.carried}, or start the version that made it, save the database with pg_dump and restore it into a new folder`
  }
}

/** PostgreSQL's programs are missing, or cannot run here. */
export class ProgramsUnusable extends Schema.TaggedError<ProgramsUnusable>()("ProgramsUnusable", {
  reason: Schema.String
}) {
  override get message() {
    return `The PostgreSQL that is installed with this package cannot run here: ${this.reason}`
  }
}

/** PostgreSQL itself refused, or ended. */
export class PostgresFailed extends Schema.TaggedError<PostgresFailed>()("PostgresFailed", {
  directory: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `PostgreSQL on ${this.directory} failed: ${this.reason}`
  }
}

export type EmbeddedFailure =
  | FolderUnusable
  | FolderInUse
  | VersionMismatch
  | ProgramsUnusable
  | PostgresFailed
