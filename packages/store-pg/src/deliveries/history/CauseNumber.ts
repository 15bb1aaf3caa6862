/**
 * The list of an account's deliveries that failed by one cause, as indexes know
 * it: one number, as of executions (`ListNumbers`). No other index begins with
 * what such a list asks for, so PostgreSQL has none to choose from, however
 * small it takes the table for.
 */
export const causeNumber = (row: string): string =>
  `hashtextextended(${row}.account_id::text || ${row}.cause, 0)`
