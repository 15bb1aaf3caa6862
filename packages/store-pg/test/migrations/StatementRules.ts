/**
 * The statements that a migration after the first may have. Each takes a moment,
 * or holds up nobody while it takes longer, and changes nothing when it runs
 * once more. Columns are added so that the release before, which does not name
 * them, still inserts rows; nothing is taken away that it reads.
 */
const type = String.raw`(?:smallint|integer|bigint|boolean|uuid|text|jsonb?|double precision|timestamptz\(3\))(?:\[\])?(?: COLLATE "C")?`

/** A constant, which PostgreSQL keeps beside the table: one that it has to compute would have it write every row. */
const constant = String.raw`(?:TRUE|FALSE|-?\d+|'[^']*')`

const forms = [
  String.raw`CREATE TABLE IF NOT EXISTS \w+ \((?:(?!\bREFERENCES\b)[^;])*\)(?: WITH \(fillfactor = \d+\))?`,
  String.raw`CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS \w+ ON \w+ \([^;]*`,
  String.raw`DROP INDEX CONCURRENTLY IF EXISTS \w+`,
  String.raw`ALTER TABLE \w+ ADD COLUMN IF NOT EXISTS \w+ ${type}(?:(?: NOT NULL)? DEFAULT ${constant})?`,
  String.raw`ALTER TABLE \w+ ALTER COLUMN \w+ (?:SET STATISTICS \d+|SET DEFAULT ${constant}|DROP DEFAULT|DROP NOT NULL)`,
  String.raw`ALTER TABLE \w+ SET \(fillfactor = \d+\)`,
  String.raw`ALTER INDEX \w+ ALTER COLUMN \d+ SET STATISTICS \d+`
].map((form) => new RegExp(`^${form}$`))

/** What is wrong with the statement, as sentences; empty when nothing is. */
export const problemOf = (statement: string): ReadonlyArray<string> =>
  forms.some((form) => form.test(statement))
    ? []
    : [`${statement} has no form of StatementRules.ts: it may lock a table for long, or not run twice`]
