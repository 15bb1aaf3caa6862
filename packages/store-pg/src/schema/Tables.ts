/** Words that several tables are made with. */

/**
 * PostgreSQL's statistics mislead it about a bucket that is new and grows: it expects one row there and reads them
 * all. Without statistics it expects a two-hundredth of the table, and uses the rest of the key.
 */
export const keepBucketsUnknown = (...tables: ReadonlyArray<string>): ReadonlyArray<string> =>
  tables.map((table) => `ALTER TABLE ${table} ALTER COLUMN bucket SET STATISTICS 0`)

/** The names of the tables that statements create. */
export const tablesOf = (statements: ReadonlyArray<string>): ReadonlyArray<string> =>
  statements.flatMap((statement) => /^CREATE TABLE (?:IF NOT EXISTS )?(\w+)/.exec(statement)?.[1] ?? [])
