/** Writes the types of the APIs' JSON: `npm run generate`. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { wireFiles } from "./WireFiles.ts"

for (const [path, text] of Object.entries(wireFiles))
  writeFileSync(join(import.meta.dirname, "..", path), text)
