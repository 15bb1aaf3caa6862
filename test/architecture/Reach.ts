/**
 * How much somebody may have to open who wants to understand one thing: every source of the workspace that its file
 * leads to by imports, types among them.
 */
import { filesBehind } from "./Imports.ts"
import { read } from "./Workspace.ts"

export interface Reach {
  readonly files: number
  readonly lines: number
}

export const reachOf = (root: string): Reach => {
  const reached = new Set([root])
  // A set is walked to its end, with what is added meanwhile.
  for (const file of reached)
    for (const each of filesBehind(file, read(file))) if (isSource(each)) reached.add(each)
  const lines = [...reached].map((file) => read(file).trimEnd().split("\n").length)
  return { files: reached.size, lines: lines.reduce((sum, each) => sum + each, 0) }
}

const isSource = (file: string): boolean => /^(?:apps|packages)\/[\w-]+\/src\/.+\.tsx?$/.test(file)

/** Where a reader begins, and the most that it leads to. The bounds come down, and are not raised. */
export const reaches: ReadonlyArray<Reach & { readonly root: string }> = [
  { root: "packages/store-pg/src/executions/PgExecutionStore.ts", files: 70, lines: 5_500 },
  { root: "packages/store-pg/src/executions/create/StoreCreates.ts", files: 70, lines: 5_500 },
  { root: "packages/store-pg/src/runs/moves/MoveRuns.ts", files: 70, lines: 5_500 },
  { root: "packages/store-pg/src/runs/PgRunStore.ts", files: 70, lines: 5_500 },
  { root: "packages/store-pg/src/deliveries/PgDeliveryStore.ts", files: 70, lines: 6_000 },
  { root: "packages/http/src/executions/IntegrationExecutionHandlers.ts", files: 300, lines: 23_000 },
  { root: "packages/webhook-dispatcher/src/WebhookDispatcher.ts", files: 120, lines: 9_000 }
]

/** What somebody who made it longer can do. */
export const reachAdvice =
  "Import the one thing that is needed and not a collection of them, put what the file need not know behind a port, or join two mechanisms that do the same"
