#!/usr/bin/env node
/** Starts `runhook`: the one file that was made of its sources, or the sources where they have changed since. */
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { compiled, dist, isCurrent, program } from "./built.mjs"

const isBuilt = isCurrent()
if (isBuilt) enableCompileCache(compiled)
const file = isBuilt ? pathToFileURL(join(dist, program)) : new URL("src/main.ts", import.meta.url)
const { main } = await import(file.href)
main()
