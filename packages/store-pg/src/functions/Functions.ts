/** The functions in the database, and their texts, which lie in files beside this one. */
import { readFileSync } from "node:fs"

export interface FunctionText {
  /** No two have the same, and what it takes and returns never changes under it: another release may call it. */
  readonly name: string
  /** Says `CREATE OR REPLACE FUNCTION`. */
  readonly text: string
}

/** Reads the texts, which only the process needs that installs them. */
export const functions = (): ReadonlyArray<FunctionText> =>
  names.map((name) => ({ name, text: readFileSync(new URL(`./${name}.sql`, import.meta.url), "utf8") }))

const names: ReadonlyArray<string> = [
  "assign_created",
  "claim_runs",
  "create_executions",
  "fan_out",
  "move_deliveries",
  "register_artifact",
  "store_moves"
]
