/** Sources that import each other, of which none can be read first. Types count as well. */
import { filesBehind } from "./Imports.ts"
import { read, workspace } from "./Workspace.ts"

/** Every source from which imports lead back to it. */
export const filesInCircles = (): ReadonlyArray<string> => {
  const sources = workspace.flatMap(({ files, folder }) =>
    files.filter((file) => file.startsWith(`${folder}/src/`))
  )
  const behind = new Map(sources.map((file) => [file, [...filesBehind(file, read(file))]]))
  return sources.filter((file) => {
    const reached = new Set(behind.get(file))
    for (const each of reached) for (const next of behind.get(each) ?? []) reached.add(next)
    return reached.has(file)
  })
}
