/**
 * The list of an account's deliveries that failed by one cause, as indexes have it: one number, as for executions
 * (`ListNumbers`). No other index begins with what such a list asks for, so PostgreSQL has no other to choose,
 * however small it takes the table for.
 */
export const causeNumber = (row: string): string =>
  `hashtextextended(${row}.account_id::text || ${row}.cause, 0)`
