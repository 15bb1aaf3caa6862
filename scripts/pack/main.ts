/** `npm run pack`: builds the public packages, and leaves their tarballs in `packed`. */
import { rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { pack } from "./Packing.ts"
import { root } from "./PublicPackages.ts"
import { packPython } from "./Python.ts"

const usage = "Usage: npm run pack [-- --into <folder>] [--only <package>]..."

const argumentsGiven = () => {
  try {
    return parseArgs({
      options: { only: { type: "string", multiple: true }, into: { type: "string" } }
    }).values
  } catch (cause) {
    console.error(`${cause instanceof Error ? cause.message : String(cause)}\n${usage}`)
    process.exit(1)
  }
}

const { only, into: given } = argumentsGiven()
const into = given === undefined ? join(root, "packed") : resolve(given)
if (given === undefined) await rm(into, { recursive: true, force: true })
const packed = await pack({ into, ...(only !== undefined && { only }) })

const forPython = only === undefined ? await packPython(into) : []

const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000)} kB`.padStart(9)

console.log("In an order in which they can be published:\n")
for (const { bytes, file, files, packedBytes } of packed) {
  console.log(`${kilobytes(packedBytes)} of${kilobytes(bytes)} in${String(files).padStart(4)} files  ${file}`)
}

if (only === undefined) {
  console.log(
    forPython.length === 0
      ? "\nNot packed, for want of a Python 3.10 or later: packages/sdk-python"
      : `\nFor Python:\n\n${forPython.map((file) => `  ${file}\n`).join("")}`
  )
}
