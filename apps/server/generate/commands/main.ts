/** Writes the calls that commands are made of: `npm run generate`. */
import { writeFileSync } from "node:fs"
import { generated } from "./Calls.ts"

writeFileSync(new URL("../../src/commands/contract/Operations.generated.ts", import.meta.url), generated)
