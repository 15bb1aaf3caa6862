/**
 * Lists of executions by what they have in common, as indexes know them: by one
 * number, which takes half the room of the columns that it is made of, and so
 * half the room in the log. Two lists may have the same number, so what is shown
 * of one is compared by its columns. All of these are made by the service:
 * with words of callers, one account could fill the list of another.
 *
 * Each is of the columns of a row of the given name: of the table itself in its
 * index, and of what is asked for in a list.
 */

const numberOf = (...common: ReadonlyArray<string>): string => `hashtextextended(${common.join(" || ")}, 0)`

/** Of an account in one status. */
export const ofStatus = (row: string): string => numberOf(`${row}.account_id::text`, `${row}.status`)

export const ofAgent = (row: string): string =>
  numberOf(`${row}.account_id::text`, `${row}.agent_id::text`, `${row}.status`)

export const ofTask = (row: string): string =>
  numberOf(`${row}.account_id::text`, `${row}.task_id::text`, `${row}.status`)

/** Of an agent and a task, whatever the status. */
export const ofAgentAndTask = (row: string): string =>
  numberOf(`${row}.account_id::text`, `${row}.agent_id::text`, `${row}.task_id::text`)

/** Whether the caller gave a reference. Where it is the id, no index holds it: the id finds it as well. */
export const isReferenceGiven = (row: string): string => `${row}.reference <> ${row}.id::text`
