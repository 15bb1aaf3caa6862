/** `npm run bench -- model`: prints the tables of `docs/operating/how-far.md`. */
import type { Bench } from "../Bench.ts"
import { printTable } from "../Report.ts"
import { costs, machines } from "./Costs.ts"
import { limitRows, sizeRows } from "./HowFar.ts"

export const model: Bench = async () => {
  printTable("what ends, in its order", limitRows(costs, machines))
  printTable("what it takes", sizeRows(costs, machines))
}
