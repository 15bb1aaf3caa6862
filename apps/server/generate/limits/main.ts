/** Writes the page of limits: `npm run generate`. */
import { writeFileSync } from "node:fs"
import { limitsPage } from "./LimitsPage.ts"

writeFileSync(new URL("../../../../docs/limits.md", import.meta.url), limitsPage)
