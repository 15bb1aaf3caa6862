/** Every migration, in the order of their ids, which count up from 1. */
import { schema } from "../schema/Schema.ts"

export interface Migration {
  readonly id: number
  readonly name: string
  /**
   * Those of the first are one transaction. Of each later one they run by
   * themselves, beside a service that works, and once more after a crash: so
   * each has a form of `test/migrations/StatementRules.ts`.
   */
  readonly statements: ReadonlyArray<string>
}

/** Ids only rise: one that is merged below an applied id would be skipped in silence, so a test compares ids with the record. */
export const migrations: ReadonlyArray<Migration> = [{ id: 1, name: "schema", statements: schema }]
