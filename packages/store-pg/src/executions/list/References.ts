/** References of executions, as the index that finds them knows them. */

/** Whether the caller gave the reference. It stands in no index where it is the id, by which it is found as well. */
export const isGiven = (row: string): string => `${row}.reference <> ${row}.id::text`
