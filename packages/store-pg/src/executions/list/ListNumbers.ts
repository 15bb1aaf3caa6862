/**
 * Numbers that stand for lists of executions in indexes: one number takes half the room of the columns that it is
 * made of, in the index and in the log. Two lists may have the same number, so statements also compare the columns.
 * All of these columns come from the service: with words of callers, one account could fill the list of another.
 *
 * Each function takes the name of a row: of the table itself for its index, and of the filter for a list.
 */

const numberOf = (...common: ReadonlyArray<string>): string => `hashtextextended(${common.join(" || ")}, 0)`

/** An account's executions in one status. */
export const ofStatus = (row: string): string => numberOf(`${row}.account_id::text`, `${row}.status`)

export const ofAgent = (row: string): string =>
  numberOf(`${row}.account_id::text`, `${row}.agent_id::text`, `${row}.status`)

export const ofTask = (row: string): string =>
  numberOf(`${row}.account_id::text`, `${row}.task_id::text`, `${row}.status`)

/** Executions of an agent and a task, whatever their status. */
export const ofAgentAndTask = (row: string): string =>
  numberOf(`${row}.account_id::text`, `${row}.agent_id::text`, `${row}.task_id::text`)

/** Whether the caller gave a reference. Otherwise it is the id, which is found without an index of references. */
export const isReferenceGiven = (row: string): string => `${row}.reference <> ${row}.id::text`
