/** Rows of agents. */
import { Agent } from "@runhook/core/catalog/Agent"
import { columnsOf, listOf } from "../rows/RowTable.ts"

/** The columns of an `Agent`, from a row `a`. */
export const agentColumns = listOf(columnsOf(Agent, "a."))
