/** How many files a folder of the server's nouns has. */
import { dirname } from "node:path/posix"
import { workspace } from "./Workspace.ts"

/** Most files of a folder. A fuller one has a second idea, which gets a folder below. */
const filesMax = 16

const ofNouns = /^packages\/(?:contract|core|http|store-[a-z]+)\/src\//

/** Folders that have more, as sentences. */
export const fullFolders = (): ReadonlyArray<string> => {
  const files = workspace.flatMap((each) => each.files).filter((file) => ofNouns.test(file))
  return [...Map.groupBy(files, dirname)]
    .filter(([, inIt]) => inIt.length > filesMax)
    .map(([folder, inIt]) => `${folder} has ${inIt.length} files, more than ${filesMax}`)
}
