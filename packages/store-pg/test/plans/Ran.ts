/** What PostgreSQL did to run a statement, as it tells itself. */
import * as Schema from "effect/Schema"

/** One step of how a statement was run. */
interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Parent Relationship"?: string
  readonly "Subplan Name"?: string
  readonly "Index Cond"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Join Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly "Shared Hit Blocks": number
  readonly "Shared Read Blocks": number
  readonly Plans?: ReadonlyArray<Node>
}

const Node = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  "Parent Relationship": Schema.optionalKey(Schema.String),
  "Subplan Name": Schema.optionalKey(Schema.String),
  "Index Cond": Schema.optionalKey(Schema.String),
  "Actual Rows": Schema.Number,
  "Actual Loops": Schema.Number,
  "Rows Removed by Filter": Schema.optionalKey(Schema.Number),
  "Rows Removed by Join Filter": Schema.optionalKey(Schema.Number),
  "Rows Removed by Index Recheck": Schema.optionalKey(Schema.Number),
  "Shared Hit Blocks": Schema.Number,
  "Shared Read Blocks": Schema.Number,
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<Node> => Node)))
})

const Told = Schema.fromJsonString(Schema.Struct({ "Query Text": Schema.String, Plan: Node }))

export interface Ran {
  readonly text: string
  readonly steps: ReadonlyArray<Step>
}

export interface Step {
  /** Such as "Seq Scan". */
  readonly kind: string
  /** The table, if it reads or writes one. */
  readonly table: string | undefined
  /** What it gave on and what it took up in vain, in all its rounds. */
  readonly rows: number
  /** Blocks of tables and indexes that it asked for itself. */
  readonly blocks: number
}

export const ranOf = (told: string): Ran => {
  const { Plan, "Query Text": text } = Schema.decodeSync(Told)(told)
  const nodes = nodesOf(Plan)
  return { text, steps: nodes.map((node) => stepOf(node, nodes)) }
}

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const stepOf = (node: Node, nodes: ReadonlyArray<Node>): Step => ({
  kind: node["Node Type"],
  table: node["Relation Name"],
  rows:
    (node["Actual Rows"] +
      (node["Rows Removed by Filter"] ?? 0) +
      (node["Rows Removed by Join Filter"] ?? 0) +
      (node["Rows Removed by Index Recheck"] ?? 0)) *
    node["Actual Loops"],
  blocks: touchesBlocks(node)
    ? withoutValues(node, nodes, blocksOf(node) - sum((node.Plans ?? []).filter(isWithin).map(blocksOf)))
    : 0
})

/** Whoever asks first for values that stand below the whole, such as an array of ids, counts all that they took. */
const withoutValues = (node: Node, nodes: ReadonlyArray<Node>, blocks: number): number => {
  const names = new Set(node["Index Cond"]?.match(/InitPlan \d+/g))
  const asked = nodes.filter((other) => names.has(other["Subplan Name"] ?? ""))
  const taken = sum(asked.map(blocksOf))
  return taken <= blocks ? blocks - taken : blocks
}

/** Steps that touch blocks themselves. Others only count those of the steps that they ask. */
const touchesBlocks = (node: Node): boolean =>
  node["Relation Name"] !== undefined || ["Bitmap Index Scan", "LockRows"].includes(node["Node Type"])

/** A common table expression stands below the whole, whoever reads it. */
const isWithin = (node: Node): boolean => node["Parent Relationship"] !== "InitPlan"

const blocksOf = (node: Node): number => node["Shared Hit Blocks"] + node["Shared Read Blocks"]

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((all, each) => all + each, 0)
