/** Every migration, in the order of their ids, which count up from 1. */
import { schema } from "../schema/Schema.ts"

export interface Migration {
  readonly id: number
  readonly name: string
  /**
   * The first migration's are one transaction. Those of later ones run one by one, beside a working service, and once
   * more after a crash: so each has a form of `test/migrations/StatementRules.ts`.
   */
  readonly statements: ReadonlyArray<string>
}

/**
 * Ids only rise: a migration merged below an applied id would be skipped silently, so a test compares ids with the
 * record.
 */
export const migrations: ReadonlyArray<Migration> = [{ id: 1, name: "schema", statements: schema }]
